import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { Problem } from '../../../core/problem.ts'
import { ReplacingFailed } from '../problems.ts'
import { checkSite } from './check-site.ts'
import { replaceAddresses } from './replace-addresses.ts'

const replacing = {
  ...{ username: 'ann', version: '8.2', database: 'ann_wp2', account: 'ann_wp2', password: 'never shown' },
  ...{ names: ['live.test'], to: 'stage.test', scheme: 'http' as const },
  ...{ paths: ['/home/ann/sites/live.test/'], folder: '/home/ann/sites/stage.test/' },
}

/** A database without the addresses where there is a file. */
const database = (folder: string) => ({
  run: async (mode: 'replace' | 'check') => {
    if (mode === 'replace') writeFileSync(`${folder}/replaced`, '')
    return { left: existsSync(`${folder}/replaced`) ? 0 : 1 }
  },
})

proveStep<string>('staging.replace-addresses', {
  machine: scratchRoot,
  open: (folder, door) => {
    const script = door(database(folder))
    return replaceAddresses((_args, mode) => script.run(mode))
  },
  look: (folder) => existsSync(`${folder}/replaced`),
  withoutHandEdit: 'its script alone tells whether addresses are left',
  cases: { 'a copy of a database': { args: replacing, wanted: true } },
})

test('a database that is gone has nothing that was replaced', async () => {
  const kind = replaceAddresses(async () => {
    throw ReplacingFailed('Unknown database')
  })
  assert.equal(await kind.check(replacing, null), 'before')
})

const site = { domain: 'live.test', isTls: false, before: '200' }
const answering = (folder: string) => ({
  visit: async () => (existsSync(`${folder}/broken`) ? '500' : '200'),
})

proveStep<string>('staging.check-site', {
  machine: scratchRoot,
  open: (folder, door) => {
    const web = door(answering(folder))
    return checkSite(
      () => web.visit(),
      async () => {},
    )
  },
  look: (folder) => existsSync(`${folder}/broken`),
  withoutHandEdit: 'it changes nothing',
  cases: { 'a website that answers': { args: site, wanted: false } },
})

test('a website that does not answer as before fails, and one that never did does not', async (t) => {
  const folder = scratchRoot(t)
  const kind = checkSite(answering(folder).visit, async () => {})
  writeFileSync(`${folder}/broken`, '')
  await assert.rejects(
    kind.act(site, stepRun(null)),
    (error) => error instanceof Problem && /live\.test answered 200 before and 500 now/.test(error.message),
  )
  assert.equal(await kind.check(site, null), 'before')
  const broken = { ...site, before: '500' }
  await kind.act(broken, stepRun(null))
  assert.equal(await kind.check(broken, null), 'wanted')
  rmSync(`${folder}/broken`)
  await kind.act(broken, stepRun(null))
})
