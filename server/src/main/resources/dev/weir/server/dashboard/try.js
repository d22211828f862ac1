// One request, tried: decision, header fields, explanation.

import {byId, element, fill} from './dom.js';
import {call} from './api.js';
import {mayChange} from './admin.js';
import * as format from './format.js';

export function start() {
  byId('try-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const result = byId('try-result');
    try {
      const take = byId('take').checked;
      const body = JSON.stringify({attributes: attributes(), permits: Number(byId('permits').value)});
      show(await call('POST', '/dashboard/try' + (take ? '?take=true' : ''), body), take);
    } catch (refused) {
      if ((refused.status === 401 || refused.status === 403) && !mayChange()) {
        return;
      }
      fill(result, element('p', {class: 'banner bad'}, refused.message));
    }
  });
}

function attributes() {
  const given = {};
  for (const line of byId('attributes').value.split('\n')) {
    const at = line.indexOf('=');
    if (at > 0) {
      given[line.slice(0, at).trim()] = line.slice(at + 1).trim();
    } else if (line.trim() !== '') {
      throw new Error('an attribute must be name=value, was "' + line.trim() + '"');
    }
  }
  return given;
}

function show(answer, taken) {
  const {decision} = answer;
  const wait = decision.retryAfterMillis === null ? 'It can never pass.' : 'It passes in ' + format.duration(decision.retryAfterMillis) + '.';
  fill(byId('try-result'),
    element('p', {}, element('span', {class: 'verdict ' + (decision.allowed ? 'yes' : 'no')},
      decision.allowed ? 'Allowed' : 'Denied'), ', status ' + answer.status + '. ',
      decision.allowed ? (taken ? 'Permits were taken.' : 'Nothing was taken.') : wait),
    answer.fields.length === 0 ? null : element('pre', {}, answer.fields.join('\n')),
    element('ul', {class: 'rules'}, ...answer.rules.map((rule) => ruleItem(rule, decision))));
}

function ruleItem(rule, decision) {
  return element('li', {},
    element('span', {class: 'verdict ' + (rule.matched ? 'yes' : 'quiet')}, rule.rule + (rule.matched ? ' matches' : ' does not match')),
    element('span', {class: 'quiet'}, rule.reason),
    ...rule.limits.map((limit) => limitLine(rule, limit, decision)));
}

function limitLine(rule, limit, decision) {
  const state = decision.limits.find((each) => each.rule === rule.rule && each.name === limit.name);
  const left = state && state.remaining !== null ? ', ' + format.count(state.remaining) + ' of ' + format.count(state.capacity) + ' left' : '';
  return element('span', {}, limit.name + ': ',
    state ? element('span', {class: 'verdict ' + (state.allowed ? 'yes' : 'no')}, (state.allowed ? 'fits' : 'does not fit') + left + ' ') : null,
    element('span', {class: 'quiet'}, limit.reason));
}
