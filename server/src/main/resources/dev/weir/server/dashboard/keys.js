// The top lists, and one key looked up: its state in each limit, reset and block.

import {byId, element, fill, setText, updateList} from './dom.js';
import {post} from './api.js';
import {change, confirmed, mayChange} from './admin.js';
import * as format from './format.js';

const COLUMNS = [['Rule and limit', ''], ['Each key may', 'wide'], ['State', ''], ['Remaining', 'number'],
  ['Fresh again in', 'wide'], ['Change', '']];

let administrator = false;

export function start() {
  byId('key-form').addEventListener('submit', (event) => {
    event.preventDefault();
    lookUp(byId('key').value);
  });
}

export function show(state) {
  administrator = state.administrator;
  showTop('denied', state.topDenied, 'denials');
  showTop('busy', state.topBusy, 'requests');
  byId('masked').hidden = administrator || state.topDenied.length === 0;
}

function showTop(id, entries, unit) {
  byId(id + '-empty').hidden = entries.length > 0;
  updateList(byId(id), entries.slice(0, 10), (entry) => [entry.rule, entry.limit, entry.key].join('\u0000'),
    (entry) => element('li', {},
      element('span', {class: 'key'}, entry.key === '' ? '(all requests)' : entry.key),
      element('span', {class: 'quiet'}, entry.rule + ' / ' + entry.limit),
      element('span', {class: 'count'}),
      element('button', {type: 'button', class: 'small', 'aria-label': 'Look up ' + entry.key,
        on: {click: () => { byId('key').value = entry.key; lookUp(entry.key); byId('key').focus(); }}}, 'Look up')),
    (item, entry) => {
      setText(item.querySelector('.count'),
        (entry.atMostTooHigh > 0 ? '≈ ' : '') + format.count(entry.count) + ' ' + unit
          + (entry.penaltyMillis > 0 ? ', blocked for ' + format.duration(entry.penaltyMillis) : ''));
      item.querySelector('button').hidden = !administrator;
    });
}

async function lookUp(key) {
  const result = byId('key-result');
  if (!mayChange()) {
    return;
  }
  try {
    showStates(key, await post('/dashboard/key', {key}));
  } catch (refused) {
    fill(result, element('p', {class: 'banner bad'}, refused.message));
  }
}

function showStates(key, answer) {
  const fresh = format.count(answer.fresh) + (answer.fresh === 1 ? ' other limit has' : ' other limits have')
    + ' no use of this key.';
  fill(byId('key-result'),
    element('h3', {}, 'Key ', element('span', {class: 'mono'}, key)),
    answer.limits.length === 0 ? null : element('div', {class: 'scroll'}, element('table', {},
      element('thead', {}, element('tr', {}, ...COLUMNS.map(([title, kind]) => element('th', {scope: 'col', class: kind}, title)))),
      element('tbody', {}, ...answer.limits.map((limit) => stateRow(key, limit))))),
    element('p', {class: 'quiet'}, answer.limits.length === 0 ? 'No limit has any use of this key: it is fresh everywhere.' : fresh));
}

function stateText(limit) {
  if (!limit.known) {
    return 'unknown: the store does not answer';
  }
  if (limit.blocked) {
    return 'blocked by an administrator or by a rule';
  }
  if (limit.penalty) {
    return 'blocked by its penalty, ' + (limit.retryAfterMillis === null ? 'never passes'
      : 'passes in ' + format.duration(limit.retryAfterMillis));
  }
  if (limit.allowed) {
    return 'passes now';
  }
  return limit.retryAfterMillis === null ? 'never passes' : 'passes in ' + format.duration(limit.retryAfterMillis);
}

function stateRow(key, limit) {
  const act = (label, run) => element('button', {type: 'button', class: 'small', on: {click: run}}, label);
  const verdict = element('span', {class: 'verdict ' + (limit.allowed && !limit.blocked ? 'yes' : 'no')}, stateText(limit));
  return element('tr', {},
    element('td', {class: 'name'}, limit.rule + ' / ' + limit.limit), element('td', {class: 'wide'}, limit.rate),
    element('td', {}, verdict),
    element('td', {class: 'number'}, limit.known ? format.count(limit.remaining) + ' of ' + format.count(limit.capacity) : '?'),
    element('td', {class: 'wide'}, limit.known ? format.duration(limit.resetAfterMillis) : '?'),
    element('td', {}, act('Reset …', () => reset(key, limit)), ' ',
      limit.blocked || limit.penalty ? act('Unblock …', () => unblock(key, limit)) : act('Block for an hour …', () => block(key, limit))));
}

async function act(title, text, button, path, body) {
  if (await confirmed(title, text, button)) {
    const done = await change('POST', path, JSON.stringify(body), byId('key-result'));
    if (done) {
      await lookUp(body.key);
    }
  }
}

const name = (limit) => limit.rule + ' / ' + limit.limit;
const target = (key, limit) => ({rule: limit.rule, limit: limit.limit, key});

const reset = (key, limit) => act('Reset this key?',
  'Forgets what ' + key + ' has used of ' + name(limit) + '. Its next requests pass as if it were new.',
  'Reset', '/dashboard/key/reset', target(key, limit));

const block = (key, limit) => act('Block this key?',
  'Denies every request of ' + key + ' that ' + name(limit) + ' applies to, for one hour, on all instances that share the store.',
  'Block for an hour', '/dashboard/key/block', {...target(key, limit), seconds: 3600});

const unblock = (key, limit) => act('Unblock this key?',
  'Requests of ' + key + ' are limited by ' + name(limit) + ' again, and no longer denied outright. A block that rules set stays.',
  'Unblock', '/dashboard/key/unblock', target(key, limit));
