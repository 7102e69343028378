import { at, failures } from '../../../core/endpoint.ts'
import { ConfigUnreadable, MaskMisplaced } from '../../../tools/openclaw/index.ts'
import { FileTooLarge } from '../../../host/files.ts'
import { NotFound } from '../../../core/problem.ts'
import { data, succeeded } from '../../../core/reply.ts'
import * as config from '../config.ts'
import { endpoint } from '../context.ts'
import { editFailures, ofThisHost, restartMs } from '../failures.ts'
import { AssistantConfig, ConfigDraft, ConfigRestore, ConfigVersions } from '../model.ts'
import { CredentialInvalid, InvalidJson, MarshalFailed } from '../problems.ts'

export const readAssistantConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Read the configuration of the assistant and the keys of its providers, masked',
  effect: 'reads',
  reply: data(AssistantConfig),
  throws: { read_failed: at(500, FileTooLarge), parse_failed: ConfigUnreadable },
  run: ({ ai }) => config.readConfig(ai),
})

export const replaceAssistantConfig = endpoint({
  method: 'POST',
  path: '/config',
  summary: 'Replace the configuration of the assistant, the keys of its providers, or both',
  description:
    'OpenClaw checks the configuration before it is used. The former one is kept as a version, and the assistant is restarted if it runs. A masked value keeps the one that is stored at its place, an empty key removes it, and unknown providers are ignored. What the panel relies on, such as the sign-in of the gateway, stays as it is.',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: ConfigDraft,
  invalid: { code: 'invalid_json', status: 400 },
  bodyBytes: 2 * 1024 * 1024,
  reply: succeeded,
  timeoutMs: restartMs,
  throws: failures(editFailures, {
    invalid_json: InvalidJson,
    bad_request: [CredentialInvalid, MaskMisplaced],
    marshal_failed: MarshalFailed,
  }),
  run: ({ ai, body, now }) => config.replaceConfig(ai, body, now),
})

export const listConfigVersions = endpoint({
  method: 'GET',
  path: '/config/versions',
  summary: 'List the former configurations of the assistant, the newest first',
  effect: 'reads',
  reply: data(ConfigVersions),
  run: ({ ai }) => config.listVersions(ai),
})

export const restoreConfigVersion = endpoint({
  method: 'POST',
  path: '/config/restore',
  summary: 'Put a former configuration of the assistant in the place of the present one',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: ConfigRestore,
  reply: succeeded,
  timeoutMs: restartMs,
  throws: failures(editFailures, { not_found: NotFound }),
  run: ({ ai, body, now }) => config.restoreVersion(ai, body.version, now),
})
