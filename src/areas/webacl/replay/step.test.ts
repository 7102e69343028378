import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles } from '../../../host/files.ts'
import { directory, openConfigFiles, ownerFile } from '../config/files.ts'
import { emptyConfig, type StoredRuleset } from '../config/model.ts'
import { openCountries } from '../countries.ts'
import { openRecentLog } from '../../../tools/nginx/recent-log.ts'
import { replayStep } from './step.ts'

const log = '/var/log/access.log'
const line =
  '192.0.2.1 - - [29/Nov/2026:04:08:15 +0000] "GET /private?token=x HTTP/1.1" 200 5 "-" "curl" 0.001'
const ruleset: StoredRuleset = {
  ...{ id: 's7-1', name: 'Gate', description: '', action: 'block', action_options: {}, combine: 'any' },
  ...{ enabled: false, website_ids: null },
  rules: [
    { id: 'r7-2', name: 'off', enabled: false, conditions: [] },
    {
      ...{ id: 'r7-3', name: 'Private', enabled: true },
      conditions: [{ field: 'path', operator: 'starts_with', value: '/private', negate: false }],
    },
  ],
}

proveStep<ReturnType<typeof openFiles>>('webacl.replay', {
  machine: async (t) => {
    const files = openFiles(scratchRoot(t))
    const { path, content } = ownerFile(7, { ...emptyConfig, rulesets: [ruleset] })
    await files.makeDirectory(directory)
    await files.write(path, content!)
    await files.makeDirectory('/var/log')
    await files.write(log, `${line}\nnonsense\n`)
    return files
  },
  open: (files, door) => {
    const behind = door(files)
    return replayStep({
      configs: openConfigFiles(behind),
      countries: openCountries(behind, ''),
      nginx: {
        openRecentLog: (_domain, limits) => openRecentLog(files.real(log), limits),
        replayAccess: async ({ requests }) => ({ verdicts: requests.map(() => 'm1'), problems: [] }),
      },
    })
  },
  look: (files) => files.read(log),
  cases: {
    'the log of a website': {
      args: {
        ...{ owner: 7, rulesetId: 's7-1', lines: 10 },
        sites: [{ id: 1, domain: 'a.example.com', host: 'a.example.com' }],
      },
      wanted: `${line}\nnonsense\n`,
    },
  },
  withoutHandEdit: 'it changes nothing',
})
