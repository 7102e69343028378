import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'

/** What the processes of an account may use together; null is unlimited. */
export interface SliceLimits {
  /** Of one processor: 200 is two of them. */
  readonly cpuPercent: number | null
  readonly memoryMb: number | null
  readonly tasks: number | null
}

export interface SetSliceArgs extends SliceLimits {
  readonly uid: number
}

/** The unit that holds the processes of an account (systemd.special(7)). */
export const sliceOf = (uid: number): string => `user-${uid}.slice`

const directoryOf = ({ uid }: SetSliceArgs) => `/etc/systemd/system/${sliceOf(uid)}.d`
const pathOf = (args: SetSliceArgs) => `${directoryOf(args)}/hostreeve.conf`

/** Renders the limits of a slice (systemd.resource-control(5)); undefined if there are none. */
export function renderSlice({ cpuPercent, memoryMb, tasks }: SliceLimits): string | undefined {
  const lines = [
    ...(cpuPercent === null ? [] : [`CPUQuota=${cpuPercent}%`]),
    ...(memoryMb === null ? [] : [`MemoryMax=${memoryMb}M`, 'MemorySwapMax=0']),
    ...(tasks === null ? [] : [`TasksMax=${tasks}`]),
  ]
  return lines.length === 0 ? undefined : ['# Written by Hostreeve.', '[Slice]', ...lines, ''].join('\n')
}

/** The step that limits what the processes of an account use together, those that run included. */
export function setSlice({
  files,
  services,
}: Pick<Host, 'files' | 'services'>): StepKind<SetSliceArgs, Was<string>, null> {
  return stateStep<SetSliceArgs, string>({
    name: 'slices.set-limits',
    plan: (args) => ({
      title: `Limit the processes in ${sliceOf(args.uid)}`,
      objects: [{ name: pathOf(args), before: null, after: renderSlice(args) ?? null }],
      commands: [['systemctl', 'daemon-reload']],
    }),
    read: (args) => files.read(pathOf(args)),
    wanted: renderSlice,
    write: async (args, content) => {
      if (content === undefined) {
        await files.remove(pathOf(args))
        await files.removeDirectory(directoryOf(args))
      } else {
        await files.makeDirectory(directoryOf(args))
        await files.write(pathOf(args), content)
      }
      await services.reloadUnits()
    },
  })
}
