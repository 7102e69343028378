import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { ExtendFailed, ResizeFailed } from './problems.ts'
import { readStorage } from './volumes.ts'

interface ExtendArgs {
  /** The device of the volume. */
  readonly path: string
  /** As lvextend(8) takes it: `+5G`, `5G`, `100%FREE`. */
  readonly size: string
}

interface GrowArgs {
  readonly path: string
  readonly mount: string
  readonly file_system: string
}

interface ExtendBefore {
  readonly size_bytes: number | null
}

type StorageHost = Pick<Host, 'run' | 'files'>
const limits = { timeoutMs: 1_800_000, maxBytes: 64 * 1024, isLasting: true } as const

const sizeOf = (size: string): readonly string[] =>
  size === '100%FREE' ? ['--extents', '+100%FREE'] : ['--size', size]
const extendCommand = ({ path, size }: ExtendArgs, ...flags: string[]): readonly [string, ...string[]] => [
  'lvextend',
  '--yes',
  ...flags,
  ...sizeOf(size),
  '--',
  path,
]

/** Makes the step that extends a volume by space of its group. */
export function extendVolume(host: StorageHost): StepKind<ExtendArgs, ExtendBefore, null> {
  const sizeNow = async ({ path }: ExtendArgs) => {
    const volumes = (await readStorage(host))?.volumes ?? []
    return volumes.find((each) => each.path === path)?.size_bytes ?? null
  }
  return {
    ...finalStep<ExtendArgs, ExtendBefore>({
      name: 'lvm.extend-volume',
      why: 'a volume in use is not made smaller',
      plan: (args) => ({
        title:
          args.size === '100%FREE'
            ? `Extend ${args.path} by all free space`
            : `Extend ${args.path}: ${args.size}`,
        commands: [extendCommand(args)],
      }),
      preview: async (args) => {
        const { code, stdout, stderr } = await host.run(extendCommand(args, '--test'), { timeoutMs: 30_000 })
        return code === 0 ? {} : { refused: (stderr.trim() || stdout.trim()).slice(0, 2000) }
      },
      observe: async (args) => ({ size_bytes: await sizeNow(args) }),
      act: async (args) => {
        const { code, stdout, stderr } = await host.run(extendCommand(args), limits)
        if (code !== 0) throw ExtendFailed(outputOf('lvextend', { code, stdout, stderr }))
        return null
      },
      isDone: async (args, before) => {
        const now = await sizeNow(args)
        return now === null ? undefined : now > (before.size_bytes ?? 0)
      },
    }),
    orphans: 'await',
  }
}

const growCommands: Readonly<Record<string, (args: GrowArgs) => readonly [string, ...string[]]>> = {
  ext2: ({ path }) => ['resize2fs', path],
  ext3: ({ path }) => ['resize2fs', path],
  ext4: ({ path }) => ['resize2fs', path],
  xfs: ({ mount }) => ['xfs_growfs', mount],
  btrfs: ({ mount }) => ['btrfs', 'filesystem', 'resize', 'max', mount],
}

/** True for a file system that grows while it is mounted. */
export const isGrowable = (fileSystem: string): boolean => Object.hasOwn(growCommands, fileSystem)

/** Makes the step that grows a mounted file system to the size of its volume. */
export function growFileSystem(host: Pick<Host, 'run'>): StepKind<GrowArgs, null, null> {
  const commandOf = (args: GrowArgs) => growCommands[args.file_system]!(args)
  return {
    ...finalStep<GrowArgs>({
      name: 'lvm.grow-file-system',
      why: 'a file system in use is not made smaller',
      plan: (args) => ({ title: `Grow the file system at ${args.mount}`, commands: [commandOf(args)] }),
      act: async (args) => {
        const [program, ...rest] = commandOf(args)
        const { code, stdout, stderr } = await host.run([program, ...rest], limits)
        const redo = `run ${[program, ...rest].join(' ')} once the cause is removed`
        if (code !== 0)
          throw ResizeFailed(
            `${outputOf(program, { code, stdout, stderr })}. The volume was extended: ${redo}`,
          )
        return null
      },
      isDone: async () => undefined,
    }),
    orphans: 'await',
  }
}

const outputOf = (
  program: string,
  { code, stdout, stderr }: { code: number; stdout: string; stderr: string },
): string =>
  `${program}: ${([stdout.trim(), stderr.trim()].filter((each) => each !== '').join('\n') || `exit status ${code}`).slice(0, 2000)}`
