import { detectOneOf } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'
import { openCipher } from './cipher.ts'

export { PassphraseWrong } from './cipher.ts'

/** GnuPG, which encrypts backups with a passphrase. */
export const gpg = tool({
  name: 'gnupg',
  title: 'GnuPG',
  packages: ['gnupg'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/bin/gpg'], 'encrypted backups need it'),
  verbs: ({ host }) => openCipher(host),
})
