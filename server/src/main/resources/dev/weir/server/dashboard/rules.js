// The rules in effect with their places, their modes, and a candidate that is checked and tried.

import {byId, element, fill, setText, updateList} from './dom.js';
import {call, get} from './api.js';
import {change, confirmed, mayChange} from './admin.js';
import * as format from './format.js';

const TYPING_PAUSE = 400;

let version = null;
let seen = null;
let seenRefusal = null;
let timer = null;
let checks = 0;

export function start() {
  byId('candidate').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => check(false), TYPING_PAUSE);
  });
  byId('candidate-load').addEventListener('click', load);
  byId('candidate-what-if').addEventListener('click', () => mayChange() && check(true));
  byId('candidate-apply').addEventListener('click', apply);
  byId('candidate-withdraw').addEventListener('click', withdraw);
}

export function show(state) {
  const now = state.rules.version + '/' + state.rules.hash + '/' + state.administrator;
  if (now !== seen) {
    seen = now;
    readRules();
  }
  const refusal = state.administrator ? state.rules.refusedAtMillis : null;
  if (refusal !== seenRefusal) {
    seenRefusal = refusal;
    readRefused(refusal !== null);
  }
  version = state.rules;
}

/** Why the latest rules were refused; the faults quote them, so they are for administrators. */
async function readRefused(any) {
  const {faults} = any ? await get('/v1/rules/refused').catch(() => ({faults: []})) : {faults: []};
  byId('refused').hidden = faults.length === 0;
  fill(byId('refused'), ...faults.map((fault) => element('li', {}, fault)));
}

async function readRules() {
  const note = byId('rules-note');
  try {
    const {rules, yaml, rulesLeftOut} = await get('/dashboard/rules');
    note.hidden = rulesLeftOut === 0;
    setText(note, 'And ' + format.count(rulesLeftOut) + ' more rules.');
    updateList(byId('rules-list'), rules, (rule) => JSON.stringify(rule), ruleItem, () => {});
    if (byId('candidate').value === '') {
      byId('candidate').value = yaml;
    }
  } catch (refused) {
    fill(byId('rules-list'));
    note.hidden = false;
    setText(note, 'The rules themselves are for administrators.');
  }
}

function ruleItem(rule) {
  const shadow = rule.limits.length > 0 && rule.limits.every((limit) => limit.mode === 'shadow');
  return element('li', {},
    element('strong', {}, rule.name), shadow ? element('span', {class: 'mode'}, 'shadow') : null,
    element('span', {}, rule.limits.map((limit) => limit.name + ': ' + limit.rate).join(', ')),
    element('span', {class: 'quiet place'}, rule.place ?? ''),
    rule.limits.length === 0 ? null : element('button',
      {type: 'button', class: 'small', on: {click: () => changeMode(rule.name, !shadow)}},
      shadow ? 'Enforce …' : 'Shadow …'));
}

const whereItCounts = () => version?.source === 'shared'
  ? 'on all instances' : 'on this instance, until its rule files change or it restarts';

async function changeMode(rule, toShadow) {
  if (!mayChange()) {
    return;
  }
  const yes = toShadow
    ? await confirmed('Set ' + rule + ' to shadow?', 'Its limits go on counting and deny nobody, ' + whereItCounts() + '.', 'Set to shadow')
    : await confirmed('Enforce ' + rule + '?', 'Its limits deny requests again, ' + whereItCounts() + '.', 'Enforce');
  if (yes) {
    const query = new URLSearchParams({rule, mode: toShadow ? 'shadow' : 'enforce'});
    await change('PUT', '/dashboard/mode?' + query, undefined, byId('rules-note'));
  }
}

async function load() {
  if (mayChange()) {
    const {yaml} = await get('/dashboard/rules');
    byId('candidate').value = yaml;
    fill(byId('what-if'));
    check(false);
  }
}

/** Answers that arrive after a later question was sent are dropped. */
async function check(whatIf) {
  clearTimeout(timer); // or the check of what was typed last would take the place of this one
  const number = ++checks;
  const place = byId('candidate-state');
  try {
    const answer = await call('POST', '/dashboard/candidate' + (whatIf ? '?what-if=true' : ''), byId('candidate').value);
    if (number === checks) {
      showFaults(answer);
      if (answer.whatIf) {
        showWhatIf(answer.whatIf);
      } else {
        fill(byId('what-if'));
      }
    }
    return answer.faults.length === 0;
  } catch (refused) {
    fill(place, element('p', {class: 'banner bad'}, refused.message));
    return false;
  }
}

function showFaults(answer) {
  const place = byId('candidate-state');
  byId('candidate').setAttribute('aria-invalid', String(answer.faults.length > 0));
  if (answer.faults.length === 0) {
    fill(place, element('p', {class: 'verdict yes'}, 'Valid: ' + format.count(answer.rules) + ' rules.'));
    return;
  }
  fill(place,
    element('ul', {class: 'faults'}, ...answer.faults.map((fault) =>
      element('li', {}, 'Line ' + fault.line + ', column ' + fault.column + ': ' + fault.text))),
    answer.more > 0 ? element('p', {}, 'And ' + format.count(answer.more) + ' more.') : '');
}

function showWhatIf(result) {
  const place = byId('what-if');
  if (result.requests === 0) {
    fill(place, element('p', {class: 'quiet'}, 'No request was checked in the last ten minutes, so there is nothing to try it on.'));
    return;
  }
  const unknown = result.unknownAttributes.length === 0 ? null : element('p', {class: 'banner warn'},
    'The candidate looks at ' + result.unknownAttributes.join(', ') + ', which the recorded requests do not carry: its limits by these are not tried.');
  fill(place,
    element('h3', {}, 'What if this had been in effect'),
    element('p', {}, 'The last ' + format.count(result.requests) + ' requests to this instance, within ' + format.duration(result.spanMillis)
      + ', decided again, both times from fresh counters: ',
      element('strong', {class: result.newlyDenied > 0 ? 'hot' : ''}, format.count(result.newlyDenied) + ' newly denied'),
      ', ' + format.count(result.newlyAllowed) + ' newly allowed. Denied in all: '
      + format.count(result.deniedNow) + ' by the rules in effect, ' + format.count(result.deniedThen) + ' by the candidate.'),
    unknown ?? '',
    element('ol', {class: 'keys'}, ...result.keys.map((key) => element('li', {},
      element('span', {class: 'key'}, key.key === '' ? '(all requests)' : key.key),
      element('span', {class: 'quiet'}, key.rule + ' / ' + key.limit),
      element('span', {class: 'count'}, format.count(key.requests) + ' newly denied')))));
}

async function apply() {
  if (!mayChange() || !(await check(true))) {
    return;
  }
  const yes = await confirmed('Apply these rules?',
    'Replaces all rules at once, ' + whereItCounts() + '. Limits that keep their names keep what was used.', 'Apply');
  if (yes) {
    const done = await change('PUT', '/v1/rules', byId('candidate').value, byId('candidate-state'));
    if (done) {
      fill(byId('candidate-state'), element('p', {class: 'verdict yes'}, 'Applied.'));
    }
  }
}

async function withdraw() {
  if (mayChange() && await confirmed('Return to the rule files?',
    'Drops rules that were applied here or over HTTP; the rules of the files, or the sample, are in effect again.', 'Return')) {
    const done = await change('DELETE', '/v1/rules', undefined, byId('candidate-state'));
    if (done) {
      byId('candidate').value = '';
      seen = null;
    }
  }
}
