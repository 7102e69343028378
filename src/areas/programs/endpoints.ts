import Type from 'typebox'
import { local } from '../../core/endpoint.ts'
import { signedIn } from '../../core/guard.ts'
import { accepted, data } from '../../core/reply.ts'
import { Text } from '../../core/schemas.ts'
import * as listed from './areas.ts'
import { endpoint } from './context.ts'
import { installing } from './install.ts'
import { AreaEntry, Program } from './model.ts'
import * as verbs from './programs.ts'

export const listAreas = endpoint({
  method: 'GET',
  path: '/areas',
  summary: 'List the areas of the panel: whether you may use them, and whether they can work here',
  effect: 'reads',
  guard: signedIn,
  reply: data(Type.Array(AreaEntry, { maxItems: 100 })),
  run: ({ programs, caller }) => listed.listAreas(programs, caller),
})

export const listPrograms = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the programs that the panel drives, and whether they are here',
  effect: 'reads',
  reply: data(Type.Array(Program, { maxItems: 100 })),
  run: async ({ programs }) =>
    (await verbs.detectPrograms(programs)).map(({ program, ...rest }) => ({ name: program, ...rest })),
})

export const installProgram = endpoint({
  method: 'POST',
  path: '/{name}/install',
  summary: 'Install a program with the package manager of the host',
  effect: 'changes',
  category: local('programs are installed on each host'),
  params: Type.Object({ name: Text(50, { description: 'Name of the program' }) }),
  reply: accepted(installing),
  target: ({ params, programs }) => verbs.loadProgram(programs, params.name),
  run: ({ target }) => ({ name: target.program }),
})
