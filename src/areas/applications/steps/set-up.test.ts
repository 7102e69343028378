import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { SetUpFailed } from '../problems.ts'
import { setUpApplication, type SetUpMode } from './set-up.ts'

const args = {
  ...{ username: 'ann', domain: 'a.test', name: 'App', script: 'wordpress', version: '8.2' },
  ...{ title: 'A', admin: 'admin', email: 'ann@example.com', password: 'never shown' },
}

/** An application that is set up where there is a file. */
const application = (folder: string) => ({
  run: async (mode: SetUpMode) => {
    const file = `${folder}/tables`
    if (mode === 'set_up') writeFileSync(file, 'tables')
    if (mode === 'undo') rmSync(file, { force: true })
    return { is_set_up: existsSync(file) }
  },
})

proveStep<string>('applications.set-up', {
  machine: scratchRoot,
  open: (folder, door) => {
    const script = door(application(folder))
    return setUpApplication((_args, mode) => script.run(mode))
  },
  look: (folder) => existsSync(`${folder}/tables`),
  withoutHandEdit: 'its script alone tells whether it is set up',
  cases: { 'a new application': { args, wanted: true } },
})

proveStep<string>('applications.set-up', {
  machine: scratchRoot,
  open: (folder, door) => {
    const script = door(application(folder))
    return setUpApplication(async (_args, mode) => {
      if (mode !== 'undo') return script.run(mode)
      await script.run(mode)
      throw SetUpFailed('the database is gone already')
    })
  },
  look: (folder) => existsSync(`${folder}/tables`),
  withoutHandEdit: 'its script alone tells whether it is set up',
  cases: { 'one whose undo finds no database': { args, wanted: true } },
})
