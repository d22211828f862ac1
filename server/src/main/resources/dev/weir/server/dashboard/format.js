// Numbers and times for people, in the viewer's language and zone.

const whole = new Intl.NumberFormat(undefined, {maximumFractionDigits: 0});
const tenths = new Intl.NumberFormat(undefined, {minimumFractionDigits: 1, maximumFractionDigits: 1});
const clock = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit'});
const minuteClock = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit'});

/** A rate: tenths while it is small, so that one request in five seconds is not 0. */
export const rate = (value) => (value > 0 && value < 100 ? tenths : whole).format(value);
export const count = (value) => whole.format(value);
export const share = (value) => whole.format(value * 100) + ' %';
export const time = (millis) => clock.format(new Date(millis));
export const minute = (millis) => minuteClock.format(new Date(millis));

export function micros(value) {
  return value < 1000 ? whole.format(value) + ' µs' : tenths.format(value / 1000) + ' ms';
}

export function duration(millis) {
  if (millis < 1000) {
    return whole.format(millis) + ' ms';
  }
  const seconds = Math.ceil(millis / 1000);
  if (seconds < 120) {
    return seconds + ' s';
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? minutes + ' min' : tenths.format(minutes / 60) + ' h';
}
