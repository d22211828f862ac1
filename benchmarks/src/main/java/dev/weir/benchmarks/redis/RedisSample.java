package dev.weir.benchmarks.redis;

/**
 * One contender in one round.
 *
 * @param perSecond decisions
 * @param scriptMicros time of the server in scripts, per decision
 * @param cpuMicros all processor time of the server, per decision
 * @param clientMicros all processor time of this program, per decision
 * @param perCall decisions per script call
 * @param disturbed the share of the processors that other programs used meanwhile
 */
record RedisSample(
    double perSecond,
    double p50Micros,
    double p99Micros,
    double scriptMicros,
    double cpuMicros,
    double clientMicros,
    double perCall,
    double disturbed) {}
