import Type from 'typebox'
import { Id, Optional, Text } from '../../core/schemas.ts'
import { job } from './context.ts'
import { install } from './programs.ts'

/** Installs one program; the output of the package manager is its output. */
export const installJob = job({
  kind: 'programs.install',
  input: Type.Object({ name: Text(50), by: Optional(Id) }),
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    await install(run.programs, run.input, run)
    return { name: run.input.name }
  },
})
