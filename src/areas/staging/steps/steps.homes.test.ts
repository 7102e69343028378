import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { asOwner, type Bench, makeBench, skip } from '../../../host/owner/testing/homes.ts'
import { quietPlugin } from '../wordpress.ts'
import { clearFormer } from './clear.ts'
import { prepareWordpress } from './prepare-wordpress.ts'
import { swapFiles } from './swap-files.ts'

type Account = Bench['alice']

const bench = skip === false ? makeBench() : undefined
after(() => bench?.remove())

let uid = 61_500
const machine = (): Account => {
  if (bench === undefined) throw new Error('homes need root')
  uid++
  return bench.account(`s${uid}`, uid)
}
const of = (account: Account, door: Stoppable['door']) => async () => door(bench!.owners.of(account))

/** The files in a home with their content. */
const look = ({ home }: Account): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(home, path)).isFile())
    .map((path) => `${path}: ${readFileSync(join(home, path), 'utf8').trim()}`)
    .toSorted()
const sh = (script: string) => (account: Account) => asOwner(account, 'sh', '-c', script)

const config = (name: string) =>
  ['DB_NAME', 'DB_USER', 'DB_PASSWORD'].map((each) => `define('${each}', '${name}');`).join('\n')
const copy = 'sites/stage.test/public'
const plugin = `${copy}/wp-content/mu-plugins/hostreeve-staging.php`

proveStep<Account>('staging.prepare-wordpress', {
  skip,
  machine,
  open: (account, door) => prepareWordpress(of(account, door)),
  look,
  cases: {
    'a copy of WordPress': {
      args: {
        ...{ username: 'ann', domain: 'stage.test' },
        change: {
          ...{ database: 'new', account: 'new', password: 'new' },
          ...{ names: ['live.test'], to: 'stage.test', scheme: 'http' },
        },
      },
      arrange: sh(`mkdir -p ${copy}; printf %s "${config('old')}" >${copy}/wp-config.php`),
      wanted: [`${copy}/wp-config.php: ${config('new')}`, `${plugin}: ${quietPlugin.trim()}`].toSorted(),
      handEdit: sh(`echo mine >${copy}/wp-config.php`),
      refusedAfter: sh(`rm ${copy}/wp-config.php`),
    },
  },
})

const live = 'sites/live.test/public'
const both = sh(
  `for each in ${copy} ${live}; do mkdir -p $each/wp-content/uploads $each/wp-content/mu-plugins; for name in index.php wp-config.php wp-content/uploads/a; do echo $each >$each/$name; done; done; ` +
    `echo quiet >${plugin}; echo gone >${live}/gone.php; echo new >${copy}/new.php; echo cache >${live}/wp-content/mu-plugins/hostreeve-page-cache.php`,
)
const ofCopy = [
  `${copy}/index.php: ${copy}`,
  `${copy}/new.php: new`,
  `${copy}/wp-config.php: ${copy}`,
  `${copy}/wp-content/uploads/a: ${copy}`,
  `${plugin}: quiet`,
]
const former = (root: string) => [
  `${root}/gone.php: gone`,
  `${root}/index.php: ${live}`,
  `${root}/wp-config.php: ${live}`,
  `${root}/wp-content/mu-plugins/hostreeve-page-cache.php: cache`,
  `${root}/wp-content/uploads/a: ${live}`,
]
const swap = { username: 'ann', from: 'stage.test', to: 'live.test', scratch: '.hostreeve-push-7' }

proveStep<Account>('staging.swap-files', {
  skip,
  machine,
  open: (account, door) => swapFiles(of(account, door)),
  look,
  withoutHandEdit: 'the folder is replaced as a whole, with what its owner writes meanwhile',
  cases: {
    'a website whose uploads stay': {
      args: { ...swap, kept: ['wp-content/uploads'] },
      arrange: both,
      wanted: [
        ...ofCopy,
        ...former('sites/.hostreeve-push-7/former').filter(
          (line) => !/wp-config|page-cache|uploads/.test(line),
        ),
        `${live}/index.php: ${copy}`,
        `${live}/new.php: new`,
        `${live}/wp-config.php: ${live}`,
        `${live}/wp-content/mu-plugins/hostreeve-page-cache.php: cache`,
        `${live}/wp-content/uploads/a: ${live}`,
      ].toSorted(),
    },
    'a website of which a folder stays, with all that is below it': {
      args: { ...swap, kept: ['wp-content', 'wp-content/uploads', 'none'] },
      callsAsIn: 'a website whose uploads stay',
      arrange: both,
      wanted: [
        ...ofCopy,
        ...former('sites/.hostreeve-push-7/former').filter((line) => !/wp-config|wp-content/.test(line)),
        `${live}/index.php: ${copy}`,
        `${live}/new.php: new`,
        `${live}/wp-config.php: ${live}`,
        `${live}/wp-content/mu-plugins/hostreeve-page-cache.php: cache`,
        `${live}/wp-content/uploads/a: ${live}`,
      ].toSorted(),
    },
  },
})

proveStep<Account>('staging.clear', {
  skip,
  machine,
  open: (account, door) => clearFormer(of(account, door)),
  look,
  withoutHandEdit: 'final',
  cases: {
    'what a push has replaced': {
      args: { username: 'ann', to: 'live.test', scratch: '.hostreeve-push-7' },
      arrange: sh('mkdir -p sites/.hostreeve-push-7/former; echo old >sites/.hostreeve-push-7/former/a'),
      wanted: [],
    },
    'a push without files': {
      args: { username: 'ann', to: 'live.test', scratch: '.hostreeve-push-7' },
      wanted: [],
    },
  },
})
