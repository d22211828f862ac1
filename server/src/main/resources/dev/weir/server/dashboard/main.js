// Starts the parts of the page.

import * as admin from './admin.js';
import * as charts from './charts.js';
import * as keys from './keys.js';
import * as live from './live.js';
import * as rules from './rules.js';
import * as tries from './try.js';

charts.start();
admin.start(live.refresh);
keys.start(live.refresh);
tries.start();
rules.start(live.refresh);
live.start((state) => {
  admin.show(state);
  keys.show(state);
  rules.show(state);
});
