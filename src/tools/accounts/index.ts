import type { Account } from '../../host/accounts.ts'
import { tool } from '../tool.ts'
import { archiveHome } from './archive-home.ts'
import { createAccount } from './create-account.ts'
import { emptyHome } from './empty-home.ts'
import { lockAccount } from './lock-account.ts'
import { openHome } from './open-home.ts'
import { removeAccount } from './remove-account.ts'

/** The Linux accounts of the host. */
export const accounts = tool({
  name: 'accounts',
  title: 'Linux accounts',
  packages: [],
  steps: ({ host }) => {
    const { accounts, files, owners } = host
    const filesOf = (account: Account) => owners.of({ ...account, name: account.username })
    return {
      create: createAccount(host),
      lock: lockAccount(accounts),
      openHome: openHome(host),
      remove: removeAccount({ accounts, empty: (account, signal) => emptyHome(filesOf(account), signal) }),
      archiveHome: archiveHome({
        accounts,
        files,
        pack: (account) => filesOf(account).archives.download('', 'tar.gz'),
      }),
    }
  },
})
