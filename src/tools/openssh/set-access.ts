import type { StepKind } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { type Access, type AccountAccess, dropInOf, homeMount, isMountable, renderDropIn } from './drop-in.ts'
import { mountHome, unmountHome } from './home-mount.ts'
import { SshdRefused } from './problems.ts'
import { countSessions, endSessions } from './sessions.ts'
import { assertInEffect, checkDropIn, reloadSshd } from './sshd.ts'

/** The files for an account. */
interface AccessState {
  readonly dropIn?: string
  readonly mount?: string
}

type AccessHost = Pick<Host, 'run' | 'files' | 'services'>

const titles: Readonly<Record<Access, (username: string) => string>> = {
  all: (username) => `Let sshd treat ${username} as any other account`,
  sftp: (username) => `Confine ${username} to SFTP in the own home`,
  none: (username) => `Refuse ${username} every sign-in by SSH and SFTP`,
}

/** The step that sets what sshd admits for an account. Its open sessions end, as they have what it had before. */
export function setAccess(host: AccessHost): StepKind<AccountAccess, Was<AccessState>, null> {
  return stateStep<AccountAccess, AccessState>({
    name: 'openssh.set-access',
    plan: (args) => ({
      title: `${titles[args.access](args.username)}, and end its sessions`,
      objects: objectsOf(args),
      commands: [['sshd', '-t']],
      reloads: ['ssh'],
    }),
    preview: async ({ username }) => {
      const count = await countSessions(host.run, { username })
      return { details: count === 0 ? [] : [count === 1 ? '1 session ends' : `${count} sessions end`] }
    },
    refuse: async ({ home, access }) => {
      if (access !== 'sftp') return
      if (!isMountable(home))
        throw SshdRefused(`${home} cannot be mounted for SFTP: its name has unusual characters`)
      if ((await host.files.facts('/run/systemd/system')) === undefined)
        throw Unavailable('SFTP without a shell needs systemd, which mounts the home for it')
    },
    read: async (args) => {
      const dropIn = await host.files.read(dropInOf(args.username))
      const mount = await host.files.read(homeMount(args).path)
      if (dropIn === undefined && mount === undefined) return undefined
      return { ...(dropIn !== undefined && { dropIn }), ...(mount !== undefined && { mount }) }
    },
    wanted: (args) => {
      const dropIn = renderDropIn(args)
      if (dropIn === undefined) return undefined
      return { dropIn, ...(args.access === 'sftp' && { mount: homeMount(args).content }) }
    },
    write: async (args, state) => {
      const { username } = args
      if (state?.mount !== undefined) await mountHome(host, args)
      if (state?.dropIn === undefined) await host.files.remove(dropInOf(username))
      else await writeDropIn(host, username, state.dropIn)
      await reloadSshd(host)
      await endSessions(host.run, { username })
      if (state?.mount === undefined) await unmountHome(host, args)
    },
    isInEffect: async ({ username }) => {
      const isDenied = (await host.files.read(dropInOf(username)))?.includes('DenyUsers') ?? false
      return !isDenied || (await countSessions(host.run, { username })) === 0
    },
  })
}

async function writeDropIn(host: AccessHost, username: string, content: string): Promise<void> {
  await checkDropIn(host, content)
  await host.files.write(dropInOf(username), content)
  await assertInEffect(host, username, content)
}

function objectsOf(args: AccountAccess) {
  const dropIn = { name: dropInOf(args.username), before: null, after: renderDropIn(args) ?? null }
  return args.access === 'sftp'
    ? [dropIn, { name: homeMount(args).path, before: null, after: 'mounts the home' }]
    : [dropIn]
}
