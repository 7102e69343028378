import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { Refusal, type ByteString } from './calls.ts'
import { local } from './paths.ts'
import { codeOfWords, runTool } from './tool.ts'
import type { CallRun } from './session.ts'

interface Content {
  readonly from: ByteString
  readonly to: ByteString
  readonly size: number
  readonly copied: (sizeBytes: number) => void
}

const smallBytes = 4 * 1024 * 1024
const cpArgs = ['--null', '--', '/usr/bin/cp', '--no-dereference', '--no-target-directory', '--reflink=auto', '--sparse=auto', '--']

/** Copies the bytes of one file into a new one: shared blocks where the file system can. A large one is left to cp, which leaps over holes. */
export async function copyContent({ from, to, size, copied }: Content, run: CallRun): Promise<void> {
  if (size <= smallBytes) {
    await copyFile(local(from), local(to), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    return copied(size)
  }
  let told = 0
  const tell = async () => {
    const now = await stat(local(to)).then(
      (found) => found.size,
      () => 0,
    ) // not there yet, or not any more
    copied(Math.max(0, now - told))
    told = Math.max(now, told)
  }
  const timer = setInterval(() => void tell(), 500)
  try {
    // By stdin, because a name may be any bytes, and Node passes arguments as UTF-8 alone.
    const { code, words } = await runTool('xargs', cpArgs, { input: Buffer.from(`./${from}\0./${to}\0`, 'latin1') }, run)
    if (code !== 0) throw new Refusal(codeOfWords(words), from, words)
    await tell()
  } finally {
    clearInterval(timer)
  }
}
