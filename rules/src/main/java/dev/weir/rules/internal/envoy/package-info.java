/**
 * The format of Envoy's reference rate-limit service: domains with trees of descriptors.
 *
 * <p>Start at {@link dev.weir.rules.internal.envoy.DomainReader}, which reads one file; {@code
 * DescriptorReader} and {@code RateLimitReader} read its parts. {@code DescriptorNode} finds the
 * limit of a descriptor, {@code DescriptorKey} makes the key it is counted under, {@code
 * AttributeDescriptors} does both for requests that are known by attributes.
 */
@NullMarked
package dev.weir.rules.internal.envoy;

import org.jspecify.annotations.NullMarked;
