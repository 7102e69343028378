import { failures } from '../../../core/endpoint.ts'
import { accepted, data, succeeded } from '../../../core/reply.ts'
import { AccountFailed } from '../../../host/accounts.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { notTaken } from '../../../tools/nginx/index.ts'
import { InstallFailed, NoSuchRequest } from '../../../tools/openclaw/index.ts'
import * as channels from '../channels.ts'
import { endpoint } from '../context.ts'
import { asking, editFailures, notSetUp, ofThisHost, restartFailures, restartMs } from '../failures.ts'
import * as hive from '../hive.ts'
import {
  AssistantStatus,
  Done,
  HiveDraft,
  PairingApproval,
  SetupDraft,
  UpdateDraft,
  UpdateStatus,
} from '../model.ts'
import * as problems from '../problems.ts'
import * as server from '../server.ts'
import { draftSetup, settingUp } from '../setup.ts'
import { readStatus } from '../status.ts'
import { draftUpdate, readUpdate, updating } from '../update.ts'

export const readAssistantStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether the assistant is set up and answers, and which browsers wait to be admitted',
  effect: 'reads',
  reply: data(AssistantStatus),
  run: ({ ai }) => readStatus(ai),
})

export const setUpAssistant = endpoint({
  method: 'POST',
  path: '/setup',
  summary: 'Install OpenClaw and start it as the assistant of this host',
  description:
    'Installs it with npm, owned by root, runs it under the Linux account `ai`, and gives it an MCP key in the name of the caller: what it does in the panel is in the activity under that key. Its configuration belongs to root: the assistant reads it and cannot change it.',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: SetupDraft,
  reply: accepted(settingUp),
  throws: {
    bad_request: [problems.VersionInvalid, problems.CredentialInvalid, problems.ProviderIncomplete],
    already_running: problems.SettingUpAlready,
    conflict: [problems.AlreadySetUp, problems.AccountInUse],
  },
  run: ({ ai, body, caller }) => draftSetup(ai, body, caller),
})

export const restartAssistant = endpoint({
  method: 'POST',
  path: '/restart',
  summary: 'Restart the assistant, or start it if it is stopped',
  effect: 'changes',
  category: ofThisHost,
  reply: data(Done),
  timeoutMs: restartMs,
  throws: restartFailures,
  run: ({ ai }) => server.restart(ai),
})

export const stopAssistant = endpoint({
  method: 'POST',
  path: '/stop',
  summary: 'Stop the assistant, also for the next start of the host',
  effect: 'changes',
  category: ofThisHost,
  reply: data(Done),
  timeoutMs: restartMs,
  throws: failures(notSetUp, { service_failed: ServiceFailed }),
  run: ({ ai }) => server.stop(ai),
})

export const destroyAssistant = endpoint({
  method: 'POST',
  path: '/destroy',
  summary: 'Remove the assistant with its account, its memory, its secrets and its key of the panel',
  effect: 'destroys',
  category: ofThisHost,
  reply: data(Done),
  timeoutMs: restartMs,
  throws: failures(notSetUp, {
    service_failed: ServiceFailed,
    account_failed: AccountFailed,
    config_failed: notTaken,
  }),
  run: ({ ai }) => server.destroy(ai),
})

export const updateAssistant = endpoint({
  method: 'POST',
  path: '/update-agent',
  summary: 'Install another version of OpenClaw, and use it once it is ready',
  description: 'A version that does not become ready is left again, and the former one runs on.',
  effect: 'changes',
  category: ofThisHost,
  body: UpdateDraft,
  reply: accepted(updating),
  throws: failures(notSetUp, {
    already_running: problems.UpdatingAlready,
    bad_request: problems.VersionInvalid,
    install_failed: InstallFailed,
  }),
  run: ({ body }) => draftUpdate(body),
})

export const readUpdateStatus = endpoint({
  method: 'GET',
  path: '/update-agent/status',
  summary: 'Read the version of OpenClaw in use, and the state of the last setup or update',
  effect: 'reads',
  reply: data(UpdateStatus),
  run: ({ ai }) => readUpdate(ai),
})

export const reconfigureHive = endpoint({
  method: 'POST',
  path: '/reconfigure-hive',
  summary: 'Connect the assistant to the panel again, with a new key in the name of the caller',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: HiveDraft,
  reply: data(Done),
  timeoutMs: restartMs,
  throws: editFailures,
  run: ({ ai, body, caller, now }) => hive.reconfigureHive(ai, body, { caller, now }),
})

export const approveDevicePairing = endpoint({
  method: 'POST',
  path: '/pairing/approve',
  summary: 'Admit a browser to the console of the assistant',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: PairingApproval,
  reply: succeeded,
  throws: failures(asking, { not_found: NoSuchRequest }),
  run: ({ ai, body }) => channels.approvePairing(ai, 'console', body),
})
