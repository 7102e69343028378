import { detectOneOf } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'

/** The program that packs and unpacks `.7z`. */
export const sevenZip = tool({
  name: '7zip',
  title: '7-Zip',
  packages: ['7zip'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/bin/7zz', '/usr/bin/7z'], '7z archives need it'),
})
