import { readFileSync } from 'node:fs'
import { ensureBuilt } from '../hosts/harness/built.ts'
import { must } from '../hosts/harness/outer.ts'

const python = '/usr/bin/python3' // Debian's: another one in PATH may lack the module venv
const requirements = `${import.meta.dirname}/requirements.txt`
const installMs = 240_000

/** Returns the Python that has the pinned schemathesis, from an environment outside the checkout that is made where it is missing. */
export async function ensureSchemathesis(): Promise<string> {
  const { stdout: version } = await must([python, '--version'])
  const folder = await ensureBuilt(
    'schemathesis',
    [version, readFileSync(requirements, 'utf8')],
    async (path) => {
      await must([python, '-m', 'venv', path], { timeoutMs: installMs })
      const install = ['install', '--quiet', '--require-hashes', '--only-binary=:all:', '-r', requirements]
      await must([`${path}/bin/python3`, '-m', 'pip', ...install], { timeoutMs: installMs })
    },
  )
  return `${folder}/bin/python3`
}
