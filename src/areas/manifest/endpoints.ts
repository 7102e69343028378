import { at, failures, local } from '../../core/endpoint.ts'
import { awaited, data } from '../../core/reply.ts'
import { AccountFailed, UsernameInvalid, UsernameTaken as AccountTaken } from '../../host/accounts.ts'
import { SessionsFailed, SshdRefused } from '../../tools/openssh/index.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { RulesRefused } from '../../tools/nftables/index.ts'
import { BackendFailed, RecordsRefused } from '../../tools/powerdns/index.ts'
import { ForceRequired, ofBackend, RecordInvalid, ZoneInvalid, ZoneTaken } from '../authdns/index.ts'
import { databaseNotCreated, HostInvalid } from '../databases/index.ts'
import { AccountFixed, EmailTaken, LastSuperuser, UsernameTaken } from '../users/index.ts'
import { HstsWithoutRedirect, notCreated } from '../websites/index.ts'
import * as verbs from './apply.ts'
import { endpoint } from './context.ts'
import { exportManifest as readExport } from './export.ts'
import { ManifestDraft, ManifestExport, ManifestPlan, ManifestPlanDraft, ManifestText } from './model.ts'
import { ConfirmationRequired, ManifestInvalid, ManifestTooLarge, PlanChanged } from './problems.ts'

/** Text in JSON: each character may be escaped. */
const bodyBytes = 3 * 1024 * 1024

/** Every reason why an object of a manifest cannot be as it says. */
const refused = failures(notCreated, databaseNotCreated, {
  // a program that does not answer is that of a database
  dns_backend_error: at(502, BackendFailed, connectProblems.ReplyTooLarge),
  bad_request: [
    ManifestInvalid,
    EmailTaken,
    UsernameTaken,
    UsernameInvalid,
    AccountTaken,
    AccountFixed,
    LastSuperuser,
    HstsWithoutRedirect,
    HostInvalid,
    ZoneInvalid,
    RecordInvalid,
    RecordsRefused,
  ],
  conflict: ZoneTaken,
  too_large: ManifestTooLarge,
  force_required: ForceRequired,
  firewall_refused: RulesRefused,
})

export const planManifest = endpoint({
  method: 'POST',
  path: '/plan',
  summary: 'Compare a manifest with this host',
  description:
    'A manifest is a file with users, websites, databases, DNS zones and firewall rules. `operations` is empty if the host is as the manifest has it. Nothing is changed.',
  effect: 'probes',
  body: ManifestPlanDraft,
  bodyBytes,
  timeoutMs: 300_000,
  reply: data(ManifestPlan),
  throws: refused,
  run: ({ manifest, body, ...request }) => verbs.planManifest(manifest, body, request),
})

export const applyManifest = endpoint({
  method: 'POST',
  path: '/apply',
  summary: 'Bring this host into the state of a manifest, as one change',
  description:
    'A failure anywhere leaves the host as it was. Objects that are not in the manifest stay, unless `prune` deletes those of its sections. What the plan lists under `confirmations` needs `confirm`; with the `digest` of a plan, a manifest that would do something else by now is refused. Passwords of new objects are the `secrets` of their references, or are drawn and shown once.',
  effect: 'destroys',
  changesAccess: true,
  category: local('a manifest describes one host: apply it on each'),
  body: ManifestDraft,
  bodyBytes,
  timeoutMs: 300_000,
  reply: awaited(verbs.applying, { status: 200, shape: 'data' }),
  throws: failures(refused, {
    confirmation_required: ConfirmationRequired,
    plan_changed: PlanChanged,
    account_failed: AccountFailed,
    sshd_refused: at(500, SshdRefused),
    sessions_failed: at(500, SessionsFailed),
  }),
  run: ({ body, id }) => verbs.drawApplication(body, id),
})

export const exportManifest = endpoint({
  method: 'GET',
  path: '/export',
  summary: 'Write the manifest of this host, without passwords',
  description:
    'A plan of it has nothing to do. Databases without a website are left out, and zones where PowerDNS is not set up. A host with more than a manifest can have is exported by sections. Directives, settings of PHP and records are in clear.',
  effect: 'reads',
  query: ManifestExport,
  timeoutMs: 300_000,
  reply: data(ManifestText),
  throws: failures(ofBackend, { too_large: ManifestTooLarge }),
  run: ({ manifest, query }) => readExport(manifest, query),
})
