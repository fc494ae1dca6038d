/** Signing in: the token becomes a cookie that scripts cannot read. */
import { API } from "./api.js";
import { byId, toast } from "./dom.js";
import { startPrefs } from "./prefs.js";
import { t } from "./words.js";

/** Only a path of this service: a link may not send people who just signed in elsewhere. */
function after() {
  const next = new URL(new URLSearchParams(location.search).get("next") || "/", location.origin);
  return next.origin === location.origin && next.pathname !== "/login" ? next.pathname + next.search : "/";
}

/** The link that the service prints holds the token behind the `#`, which browsers send nowhere. */
function fromLink() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  // Neither the address bar nor the history keeps it.
  history.replaceState(null, "", location.pathname + location.search);
  byId("token").value = token;
  enter();
}

async function enter() {
  byId("refused").hidden = true;
  const answer = await fetch(`${API}/session`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token: byId("token").value.trim() }),
  }).catch(() => null);
  if (answer?.ok) location.assign(after());
  else if (answer === null) toast(t("problem.offline"), { urgent: true });
  else {
    byId("refused").hidden = false;
    byId("token").select();
  }
}

byId("login").addEventListener("submit", (event) => {
  event.preventDefault();
  enter();
});
addEventListener("hashchange", fromLink);

startPrefs();
fromLink();
