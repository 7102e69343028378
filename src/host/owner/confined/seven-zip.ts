import { accessSync, constants } from 'node:fs'
import { Refusal } from './calls.ts'

// Debian's package 7zip provides 7zz, the older p7zip-full 7z; both accept the same commands.
const names = ['7zz', '7z']

/** Returns the name of 7-Zip on this host. */
export function sevenZip(): string {
  const found = names.find((name) => {
    try {
      accessSync(`/usr/bin/${name}`, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Refusal('NOTOOL', undefined, '7zip is not installed on this host')
  return found
}
