import { randomBytes, randomInt } from 'node:crypto'
import type { Secrets, WantedSecret } from './templates.ts'

const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 32

/** Draws a value for each secret: 32 letters and digits that need no quoting anywhere, or 32 bytes in base64. */
export const generateSecrets = (wanted: readonly WantedSecret[]): Secrets =>
  Object.fromEntries(wanted.map(({ name, format }) => [name, format === 'base64' ? key() : password()]))

const key = (): string => randomBytes(32).toString('base64')

const password = (): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
