import { tool } from '../tool.ts'
import { createAccount } from './create-account.ts'

/** The Linux accounts of the host. */
export const accounts = tool({
  name: 'accounts',
  title: 'Linux accounts',
  packages: [],
  steps: ({ host }) => ({ create: createAccount(host) }),
})
