import { detectConfinement } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'

/** The program that confines work in the home of a hosting user. */
export const bubblewrap = tool({
  name: 'bubblewrap',
  title: 'bubblewrap',
  packages: ['bubblewrap'],
  detect: async () => detectConfinement(),
})
