// The history: seconds of the last hour, kept up to date by the live answers; minutes of the last day.

import {byId} from './dom.js';
import {get} from './api.js';
import * as format from './format.js';

const KINDS = [
  ['allowed', 'Allowed', '--allowed'], ['denied', 'Denied', '--denied'],
  ['shadow-denied', 'Shadow-denied', '--shadow'], ['fallback', 'By fallback', '--fallback'],
];
const HOUR = 3600;
const SPANS = {minutes: {seconds: 300, bin: 1}, hour: {seconds: HOUR, bin: 10}};

let chart = null;
let span = 'minutes';
let day = null;
const history = {first: 0, counts: new Map(KINDS.map(([kind]) => [kind, []]))};

export const lastSecond = () => history.first + history.counts.get('allowed').length - 1;

/** Adds the seconds of a live answer that are new, because answers may overlap; forgets what is older than an hour. */
export function addSeconds(seconds) {
  const length = seconds.allowed.length;
  const known = lastSecond() + 1 - seconds.first;
  if (length === 0 || known >= length) {
    return;
  }
  for (const [kind, counts] of history.counts) {
    const next = known < 0 ? seconds[kind] : counts.concat(seconds[kind].slice(known));
    history.counts.set(kind, next.slice(-HOUR));
  }
  history.first = seconds.first + length - history.counts.get('allowed').length;
}

/** Mean rates of bins that are aligned to the clock, so that old points stay where they are. */
function bins(first, counts, unitSeconds, binUnits, from) {
  const labels = [];
  const rates = KINDS.map(() => []);
  const end = first + counts[0].length;
  for (let start = Math.ceil(Math.max(first, from) / binUnits) * binUnits; start + binUnits <= end; start += binUnits) {
    labels.push(start * unitSeconds * 1000);
    counts.forEach((values, kind) => {
      let sum = 0;
      for (let i = start; i < start + binUnits; i++) {
        sum += values[i - first];
      }
      rates[kind].push(sum / (binUnits * unitSeconds));
    });
  }
  return {labels, rates};
}

function shown() {
  if (span === 'day') {
    return day === null
      ? {labels: [], rates: KINDS.map(() => [])}
      : bins(day.first, KINDS.map(([kind]) => day[kind]), 60, 5, 0);
  }
  const {seconds, bin} = SPANS[span];
  const counts = KINDS.map(([kind]) => history.counts.get(kind));
  return bins(history.first, counts, 1, bin, lastSecond() - seconds);
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function make() {
  const axis = {ticks: {color: colour('--quiet')}, grid: {color: colour('--line')}, border: {color: colour('--line')}};
  return new window.Chart(byId('chart'), {
    type: 'line',
    data: {
      labels: [],
      datasets: KINDS.map(([, label, name]) => ({
        label, data: [], borderColor: colour(name), backgroundColor: colour(name), borderWidth: 1.75, pointRadius: 0,
      })),
    },
    options: {
      animation: false, responsive: true, maintainAspectRatio: false,
      interaction: {mode: 'index', intersect: false},
      scales: {
        x: {...axis, ticks: {...axis.ticks, maxTicksLimit: 7, maxRotation: 0, autoSkip: true, autoSkipPadding: 12,
          callback(value) { return label(this.getLabelForValue(value)); }}},
        y: {...axis, beginAtZero: true, suggestedMax: 5, ticks: {...axis.ticks, maxTicksLimit: 6, precision: 0}},
      },
      plugins: {
        legend: {labels: {color: colour('--text'), boxWidth: 14, boxHeight: 3}},
        tooltip: {callbacks: {
          title: (items) => format.time(Number(items[0].label)),
          label: (item) => item.dataset.label + ': ' + format.rate(item.parsed.y) + '/s',
        }},
      },
    },
  });
}

const label = (millis) => (span === 'minutes' ? format.time : format.minute)(Number(millis));

export function draw() {
  if (!window.Chart) {
    return;
  }
  chart ??= make();
  const {labels, rates} = shown();
  chart.data.labels = labels;
  rates.forEach((values, kind) => { chart.data.datasets[kind].data = values; });
  chart.update('none');
}

function redrawAll() {
  chart?.destroy();
  chart = null;
  draw();
}

async function readDay() {
  day = await get('/dashboard/day');
  draw();
}

export function start() {
  const buttons = [...document.querySelectorAll('[data-span]')];
  for (const button of buttons) {
    button.addEventListener('click', () => {
      span = button.dataset.span;
      buttons.forEach((each) => each.setAttribute('aria-pressed', String(each === button)));
      if (span === 'day') {
        readDay().catch(() => {});
      }
      draw();
    });
  }
  setInterval(() => { if (span === 'day' && !document.hidden) { readDay().catch(() => {}); } }, 60_000);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
}
