import type { Files } from '../../../host/files.ts'
import { openApply } from '../../../host/apply/index.ts'
import { openHost } from '../../../host/index.ts'
import { nginx as nginxTool } from '../index.ts'
import { openProgram } from '../program.ts'

/**
 * Run by the test in a separate process: applies one edit and kills itself at its n-th operation on the host.
 * Prints `done` if there were fewer than n.
 */
const { layout, edit, killAt } = JSON.parse(process.argv[2] ?? '')
let done = 0
const counted = async <Result>(act: () => Promise<Result> | Result): Promise<Result> => {
  if (++done === killAt) process.kill(process.pid, 'SIGKILL')
  return act()
}

const plain = openHost()
const files: Files = {
  ...plain.files,
  prepare: (...args) =>
    counted(async () => {
      const prepared = await plain.files.prepare(...args)
      return { ...prepared, commit: () => counted(prepared.commit), discard: () => counted(prepared.discard) }
    }),
  keep: (path) =>
    counted(async () => {
      const kept = await plain.files.keep(path)
      return kept && { restore: () => counted(kept.restore), forget: () => counted(kept.forget) }
    }),
  remove: (path) => counted(() => plain.files.remove(path)),
}
const program = openProgram(plain.run, layout)
const host = { ...plain, files, ...openApply(files) }
const { tool } = nginxTool.open(host, {
  layout,
  program: {
    ...program,
    check: (mounts) => counted(() => program.check(mounts)),
    served: () => counted(program.served),
  },
  starter: { start: async () => {}, isStoppedOnPurpose: async () => false },
})
await host.apply(tool, [edit])
process.stdout.write('done')
