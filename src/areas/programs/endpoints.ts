import Type from 'typebox'
import { local } from '../../core/endpoint.ts'
import { change } from '../../core/change.ts'
import { signedIn } from '../../core/guard.ts'
import { NotFound, Unavailable } from '../../core/problem.ts'
import { accepted, data } from '../../core/reply.ts'
import { Text } from '../../core/schemas.ts'
import { endpoint } from './context.ts'
import { AreaEntry, Program } from './model.ts'
import { programLock } from '../../tools/program.ts'

export const listAreas = endpoint({
  method: 'GET',
  path: '/areas',
  summary: 'List the areas of the panel: whether you may use them, and whether they can work here',
  effect: 'reads',
  guard: signedIn,
  reply: data(Type.Array(AreaEntry, { maxItems: 100 })),
  run: ({ programs, caller }) => programs.areas(caller),
})

export const listPrograms = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the programs that the panel drives, and whether they are here',
  effect: 'reads',
  reply: data(Type.Array(Program, { maxItems: 100 })),
  run: async ({ programs }) =>
    (await programs.programs()).map(({ program, ...rest }) => ({ name: program, ...rest })),
})

export const installProgram = endpoint({
  method: 'POST',
  path: '/{name}/install',
  summary: 'Install a program with the package manager of the host',
  effect: 'changes',
  category: local('programs are installed on each host'),
  params: Type.Object({ name: Text(50, { description: 'Name of the program' }) }),
  reply: accepted,
  target: async ({ params, programs }) => {
    const program = (await programs.programs()).find(({ program: name }) => name === params.name)
    if (program === undefined) throw NotFound(`name: no area needs a program ${params.name}`)
    return program
  },
  run: ({ target, caller }) => {
    if (!target.installable && !target.healthy)
      throw Unavailable(
        `${target.program} cannot be installed here: ${target.reason ?? 'the panel does not run as root on a host with a known package manager'}`,
      )
    return change({
      summary: `Install ${target.program}`,
      locks: [programLock(target.program)],
      jobs: [
        {
          kind: 'programs.install',
          input: { name: target.program, by: caller.user.id },
          ownerId: caller.user.id,
          title: `Install ${target.program}`,
        },
      ],
      reply: ({ jobIds }) => ({ job_id: jobIds[0] as number }),
    })
  },
})
