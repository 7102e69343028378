import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Files, openFiles } from '../../host/files.ts'
import { type Script, scriptedRun } from '../../host/testing/scripted-run.ts'
import { rightsOf } from './rights.ts'
import { rightsStep } from './rights-step.ts'

const path = '/etc/shop.conf'
const others = process.getuid?.() === 0 ? '1000:1000' : `${process.getuid?.()}:${process.getgid?.()}`
const own = `${process.getuid?.()}:${process.getgid?.()}`

const script: Script = ([program, ...args]) => {
  const [value = '', target = ''] = args.slice(-2)
  const [uid, gid] = value.split(':').map(Number)
  if (program === 'chown') chownSync(target, uid ?? 0, gid ?? 0)
  else if (program === 'chmod') chmodSync(target, Number.parseInt(value, 8))
  else return undefined
  return {}
}

proveStep<Files>('drift.set-rights', {
  machine: (t) => {
    const files = openFiles(scratchRoot(t))
    mkdirSync(files.real('/etc'))
    writeFileSync(files.real(path), 'one\n')
    chmodSync(files.real(path), 0o666)
    return files
  },
  open: (files, door) => rightsStep({ files, run: door(scriptedRun(script)).run }),
  look: async (files) => rightsOf(await files.facts(path)),
  cases: {
    'a file that was opened to everybody, and given away': {
      arrange: (files) => {
        const [uid = 0, gid = 0] = others.split(':').map(Number)
        chownSync(files.real(path), uid, gid)
      },
      args: { path, rights: `0640 ${own}` },
      wanted: `0640 ${own}`,
      handEdit: (files) => chmodSync(files.real(path), 0o600),
    },
  },
})
