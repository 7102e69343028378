import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { asOwner, type Bench, makeBench, skip } from '../../../host/owner/testing/homes.ts'
import { writeHomeFiles } from './write-home-files.ts'

type Account = Bench['alice']

const bench = skip === false ? makeBench() : undefined
after(() => bench?.remove())

let uid = 61_450
const machine = (): Account => {
  if (bench === undefined) throw new Error('homes need root')
  uid++
  return bench.account(`c${uid}`, uid)
}
const open = (account: Account, door: Stoppable['door']) =>
  writeHomeFiles(async () => door(bench!.owners.of(account)))

/** The files in a home with their content. */
const look = ({ home }: Account): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(home, path)).isFile())
    .map((path) => `${path}: ${readFileSync(join(home, path), 'utf8')}`)
    .toSorted()
const sh = (script: string) => (account: Account) => asOwner(account, 'sh', '-c', script)

const of = { username: 'ann', domain: 'a.test' }
const generation = 'sites/a.test/.hostreeve-page-cache'
const plugins = 'sites/a.test/public/wp-content/mu-plugins'
const file = `${plugins}/hostreeve-page-cache.php`

proveStep<Account>('page-cache.write-home-files', {
  skip,
  machine,
  open,
  look,
  cases: {
    'a website with WordPress': {
      args: { ...of, isOn: true, plugin: 'new' },
      arrange: sh('mkdir -p sites/a.test/public'),
      wanted: [`${generation}: `, `${file}: new`],
      handEdit: sh(`mkdir -p ${plugins} && printf mine >${plugins}/mine.php`),
      onTop: [`${generation}: `, `${file}: new`, `${plugins}/mine.php: mine`],
    },
    'one with an older plugin': {
      args: { ...of, isOn: true, plugin: 'new' },
      callsAsIn: 'a website with WordPress',
      arrange: sh(`mkdir -p ${plugins} && printf old >${file} && : >${generation}`),
      wanted: [`${generation}: `, `${file}: new`],
    },
    'one without WordPress': {
      args: { ...of, isOn: true, plugin: null },
      arrange: sh('mkdir -p sites/a.test/public'),
      wanted: [`${generation}: `],
    },
    'one that is turned off': {
      args: { ...of, isOn: false, plugin: null },
      arrange: sh(`mkdir -p ${plugins} && printf old >${file} && : >${generation}`),
      wanted: [],
    },
  },
})
