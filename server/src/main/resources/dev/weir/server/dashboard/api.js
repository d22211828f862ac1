// Calls of the service. The admin token lives in this module's memory alone: no cookie, no storage.

let token = null;

export const setToken = (value) => { token = value || null; };
export const hasToken = () => token !== null;

/** The answer with its JSON; refused calls throw an Error with the service's reason. */
export async function call(method, path, body) {
  const headers = {Accept: 'application/json'};
  if (token !== null) {
    headers.Authorization = 'Bearer ' + token;
  }
  const response = await fetch(path, {method, headers, body, credentials: 'omit', cache: 'no-store'});
  const text = await response.text();
  const answer = parse(text);
  if (!response.ok) {
    const error = new Error(answer.detail || answer.title || 'the service answered ' + response.status);
    error.status = response.status;
    throw error;
  }
  return answer;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (notJson) {
    return {};
  }
}

export const get = (path) => call('GET', path);
export const post = (path, json) => call('POST', path, JSON.stringify(json));
