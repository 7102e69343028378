import assert from 'node:assert/strict'
import { it } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { editIni } from './edit-ini.ts'
import { scriptPhp } from './testing/scripted-php.ts'

const path = '/etc/php/8.2/fpm/php.ini'
const text = '; \xff kept\nmemory_limit = 128M ; of one script\nunknown.directive = 1\n'

const machineOf = (root: string): Host => openHost({ root, run: scriptedRun(scriptPhp(root, '8.2')).run })
const write = (content: string) => async (host: Host) => {
  await host.files.makeDirectory('/etc/php/8.2/fpm')
  await host.files.write(path, Buffer.from(content, 'latin1'))
}

proveStep<Host>('php.edit-ini', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ files, run }, door) => editIni({ files: door(files), run }),
  look: async ({ files }) => (await files.readBytes(path)) ?? null,
  cases: {
    'a value and a directive that is missing': {
      args: { version: '8.2', settings: { memory_limit: '256M', allow_url_fopen: 'Off' } },
      arrange: write(text),
      wanted: `${text.replace('128M', '256M')}allow_url_fopen = Off\n`,
      handEdit: write(text.replace('128M', '64M')),
    },
    'a value with spaces': {
      args: { version: '8.2', settings: { user_agent: 'a b' } },
      arrange: write(text),
      wanted: `${text}user_agent = "a b"\n`,
      handEdit: write(`${text}user_agent = hand\n`),
    },
  },
})

for (const [name, value, reason] of [
  ['user_agent', 'refused', /Invalid user_agent/],
  ['unheard.of', '1', /reads unheard\.of as ""/],
] as const)
  it(`leaves php.ini as it was where PHP does not take ${name}`, async (t) => {
    const host = machineOf(scratchRoot(t))
    await write(text)(host)
    const kind = editIni(host)
    const args = { version: '8.2', settings: { [name]: value } }
    await assert.rejects(kind.act(args, stepRun(await kind.observe(args))), reason)
    assert.equal(await host.files.readBytes(path), text)
  })
