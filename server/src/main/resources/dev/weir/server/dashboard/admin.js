// The administrator's token, confirmations, the kill switch and the audit trail.

import {byId, element, fill, setText, updateList} from './dom.js';
import {call, get, hasToken, setToken} from './api.js';
import * as format from './format.js';

let refresh = () => {};
let killed = false;
let administrator = false;
let access = null;
let actions = null;

/** Asks before something is changed; true if it shall be. */
export function confirmed(title, text, button) {
  const dialog = byId('confirm');
  setText(byId('confirm-title'), title);
  setText(byId('confirm-text'), text);
  setText(byId('confirm-yes'), button);
  return new Promise((resolve) => {
    const close = (answer) => { dialog.onclose = null; dialog.close(); resolve(answer); };
    byId('confirm-yes').onclick = () => close(true);
    byId('confirm-no').onclick = () => close(false);
    dialog.onclose = () => resolve(false);
    dialog.showModal();
    byId('confirm-no').focus();
  });
}

/** Opens the dialog for the token if the service wants one; true if the viewer may go on. */
export function mayChange() {
  if (administrator) {
    return true;
  }
  openDialog();
  return false;
}

/** Runs a call that changes something, and says what came of it in the given place. */
export async function change(method, path, json, place) {
  try {
    const answer = await call(method, path, json === undefined ? undefined : json);
    await refresh();
    return answer;
  } catch (refused) {
    fill(place, element('p', {class: 'banner bad'}, 'Not done: ' + refused.message));
    return null;
  }
}

export function start(onChange) {
  refresh = onChange;
  byId('admin-open').addEventListener('click', openDialog);
  byId('admin-cancel').addEventListener('click', () => byId('admin').close());
  byId('admin-forget').addEventListener('click', () => { setToken(null); byId('admin').close(); refresh(); });
  byId('admin-form').addEventListener('submit', useToken);
  byId('kill').addEventListener('click', switchKill);
}

function openDialog() {
  const closed = access === 'CLOSED';
  setText(byId('token-state'), closed
    ? 'This service has no admin token, so there are no administrators. Start it with --admin-token-file.' : '');
  byId('admin-forget').hidden = !hasToken();
  byId('token').value = '';
  byId('admin').showModal();
}

async function useToken(event) {
  event.preventDefault();
  setToken(byId('token').value);
  try {
    await get('/dashboard/audit');
    byId('token').value = '';
    byId('admin').close();
    await refresh();
  } catch (refused) {
    setToken(null);
    setText(byId('token-state'), refused.status === 401 ? 'That is not the token.' : refused.message);
  }
}

async function switchKill() {
  if (!mayChange()) {
    return;
  }
  const yes = killed
    ? await confirmed('Switch the limits on again?', 'Requests are counted and denied again, as the rules say.', 'Switch on')
    : await confirmed('Allow everything?',
      'Every request passes and nothing is counted, on all instances that share the store, until you switch it off again. Health is degraded meanwhile.',
      'Allow everything');
  if (yes) {
    await change(killed ? 'DELETE' : 'PUT', '/v1/kill-switch', undefined, byId('kill-note'));
  }
}

export function show(state) {
  const was = administrator;
  access = state.access;
  administrator = state.administrator;
  killed = state.killSwitch;
  byId('admin-open').hidden = false;
  setText(byId('admin-open'), administrator ? (hasToken() ? 'Administrator: token in use' : 'Administrator: this machine') : 'Administrator …');
  byId('admin-open').disabled = administrator && !hasToken();
  setText(byId('kill'), killed ? 'Switch the limits on again …' : 'Switch everything to allow …');
  if (administrator && (!was || state.actions !== actions)) {
    actions = state.actions;
    readAudit();
  }
  if (!administrator && was) {
    fill(byId('audit'));
  }
  setText(byId('audit-empty'), administrator ? 'Nothing yet.' : 'For administrators.');
}

async function readAudit() {
  const {entries} = await get('/dashboard/audit').catch(() => ({entries: []}));
  byId('audit-empty').hidden = entries.length > 0;
  updateList(byId('audit'), entries, (entry) => entry.atMillis + entry.action + entry.keys,
    (entry) => element('li', {},
      element('time', {datetime: new Date(entry.atMillis).toISOString()}, format.time(entry.atMillis)),
      element('span', {}, entry.action), entry.keys ? element('span', {class: 'mono'}, entry.keys) : null,
      element('span', {class: 'quiet'}, 'from ' + entry.from)),
    () => {});
}
