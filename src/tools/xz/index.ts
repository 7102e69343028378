import { detectOneOf } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'

/** The program that packs and unpacks `.tar.xz`. */
export const xz = tool({
  name: 'xz-utils',
  title: 'XZ Utils',
  packages: ['xz-utils'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/bin/xz'], 'tar.xz archives need it'),
})
