// Asks for the numbers once a second while the page is visible, and shows them.

import {byId, element, setText, showFacts, updateList} from './dom.js';
import {get} from './api.js';
import * as charts from './charts.js';
import * as format from './format.js';

const PAUSE = 1000;
const PATIENCE = 3;

let listener = () => {};
let timer = null;
let failures = 0;

export function start(onState) {
  listener = onState;
  document.addEventListener('visibilitychange', () => { if (!document.hidden) { refresh(); } });
  refresh();
}

/** Asks now instead of at the next second. */
export function refresh() {
  clearTimeout(timer);
  return ask();
}

async function ask() {
  try {
    const state = await get('/dashboard/live?after=' + Math.max(0, charts.lastSecond()));
    failures = 0;
    charts.addSeconds(state.seconds);
    show(state);
    listener(state);
  } catch (failure) {
    failures++;
    if (failures >= PATIENCE) {
      showLost(failure);
    }
  }
  clearTimeout(timer);
  timer = setTimeout(() => (document.hidden ? null : ask()), PAUSE);
}

function showLost(failure) {
  setText(byId('status'), 'No answer');
  byId('status').className = 'status lost';
  showBanners([['bad', 'This instance does not answer, or the network is down. The numbers are old. (' + failure.message + ')']]);
}

function show(state) {
  showStatus(state);
  for (const [kind, value] of Object.entries(state.rates)) {
    const number = byId('rate-' + kind);
    setText(number, format.rate(value));
    number.parentElement.classList.toggle('none', value === 0);
  }
  setText(byId('summary'), summary(state));
  charts.draw();
  showLimits(state);
  showStore(state);
}

/** Who is being limited, and by which rule, in a sentence or two. */
function summary(state) {
  return (state.rates.fallback > 0
    ? 'The store does not answer: failure policies decide ' + format.rate(state.rates.fallback) + ' requests/s. ' : '')
    + denials(state);
}

/** The rates of limits are means of more seconds: what was denied before them is not "now". */
function denials(state) {
  const denying = state.limits.filter((limit) => limit.mode !== 'shadow' && limit.deniedPerSecond > 0);
  if (state.killSwitch || state.rates.denied === 0 || denying.length === 0) {
    return state.limits.length === 0 ? 'No requests in the last ten minutes.' : 'Nobody is being denied now.';
  }
  const named = denying.slice(0, 3)
    .map((limit) => limit.rule + ' / ' + limit.limit + ' (' + format.rate(limit.deniedPerSecond) + '/s)');
  const others = denying.length > 3 ? ' and ' + (denying.length - 3) + ' more' : '';
  const first = state.topDenied[0];
  const who = first ? ' Denied most lately: ' + first.key + ', by ' + first.rule + ' / ' + first.limit + '.' : '';
  return 'Denying now: ' + named.join(', ') + others + '.' + who;
}

/** How many instances there are: the store counts those that ask it, and idle ones are known by name. */
const fleet = (state) => Math.max(state.instances ?? 1, state.others.length + 1);

const STATUS = {starting: 'Starting', up: 'Healthy', degraded: 'Degraded', draining: 'Stopping'};

function showStatus(state) {
  setText(byId('status'), STATUS[state.status] ?? state.status);
  byId('status').className = 'status ' + state.status;
  setText(byId('where'), state.instance
    + (fleet(state) > 1 ? ': one of ' + format.count(fleet(state)) + ' instances, and the numbers are of this one' : ''));
  document.title = (state.status === 'up' ? '' : '⚠ ') + 'Weir: ' + format.rate(state.rates.denied) + ' denied/s';
  const banners = [];
  if (state.killSwitch) {
    banners.push(['bad', 'The kill switch is on: every request is allowed and nothing is counted.']);
  }
  if (state.rules.refusedAtMillis !== null) {
    banners.push(['warn', 'New rules were refused at ' + format.time(state.rules.refusedAtMillis) + '; those before stay in effect.']);
  }
  for (const reason of state.reasons) {
    if (reason !== 'the kill switch is on' && !reason.startsWith('new rules were refused')) {
      banners.push(['warn', capital(reason) + '.']);
    }
  }
  showBanners(banners);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function showBanners(banners) {
  updateList(byId('banners'), banners, ([kind, text]) => kind + text,
    ([kind, text]) => element('p', {class: 'banner ' + kind}, text), () => {});
}

function showLimits(state) {
  const table = byId('limits');
  table.hidden = state.limits.length === 0;
  byId('limits-empty').hidden = state.limits.length > 0;
  byId('limits-more').hidden = state.limitsLeftOut === 0;
  setText(byId('limits-more'), 'And ' + format.count(state.limitsLeftOut) + ' more limits with less traffic.');
  updateList(table.tBodies[0], state.limits,
    (limit) => [limit.rule, limit.limit, limit.rate, limit.mode].join('\u0000'), limitRow, updateLimitRow);
}

function limitRow(limit) {
  const mode = limit.mode === 'enforce' ? null : element('span', {class: 'mode'}, limit.mode);
  return element('tr', {},
    element('td', {class: 'name'}, limit.rule + ' / ' + limit.limit + ' ', mode), element('td', {}, limit.rate),
    ...['perSecond wide', 'deniedPerSecond wide', 'denials', 'near wide'].map((name) => element('td', {class: 'number ' + name})),
    element('td', {class: 'fullest'},
      element('meter', {min: 0, max: 1, low: 0.8, high: 0.99, optimum: 0, 'aria-label': 'Fullest key of ' + limit.limit}),
      element('span')));
}

function updateLimitRow(row, limit) {
  const cell = (name) => row.querySelector('.' + name);
  row.className = limit.denials === 0 ? '' : limit.mode === 'shadow' ? 'shadowed' : 'denies';
  setText(cell('perSecond'), format.rate(limit.perSecond));
  setText(cell('deniedPerSecond'), format.rate(limit.deniedPerSecond));
  setText(cell('denials'), format.count(limit.denials));
  cell('denials').classList.toggle('hot', limit.denials > 0 && limit.mode !== 'shadow');
  setText(cell('near'), format.share(limit.nearShare));
  cell('fullest').firstElementChild.value = Math.min(1, limit.fullest);
  setText(cell('fullest').lastElementChild, format.share(limit.fullest));
}

function showStore(state) {
  const {store, rules} = state;
  showFacts(byId('store'), [
    ['Store', store.name],
    ['Latency', store.medianMicros === null ? 'no calls in the last ten seconds'
      : 'median ' + format.micros(store.medianMicros) + ', 99 % within ' + format.micros(store.p99Micros)],
    ['Circuit breaker', store.silentNodes.length === 0 ? 'closed: calls are sent' : 'open for ' + store.silentNodes.join(', ')],
    ['Failure policies', store.fallback ? 'answering now' : 'not needed'],
    ['This instance', state.instance],
    ['Instances', state.instances === null && state.others.length === 0
      ? 'only this one is known; its store is ' + (state.shared ? 'shared' : 'memory')
      : format.count(fleet(state)) + ' alive in the last ten minutes, this one included'],
    ...(state.shared ? [['Others', state.others.length === 0 ? 'none has been heard of in the last 20 seconds' : state.others.join('; ')]] : []),
    ['Blocked keys', format.count(state.blocks)],
  ]);
  showFacts(byId('rules-facts'), [
    ['Rules', format.count(rules.count) + ', from ' + rules.source],
    ['Version', rules.version + ' since the start'],
    ['Hash', rules.hash],
    ['Latest change', rules.refusedAtMillis === null ? 'taken' : 'REFUSED at ' + format.time(rules.refusedAtMillis) + '; those before stay in effect'],
  ]);
}
