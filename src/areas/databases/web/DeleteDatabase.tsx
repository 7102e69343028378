import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import type { Database } from '../model.ts'
import { databases } from './api.ts'
import { readDatabasesAgain } from './queries.ts'

interface DeleteDatabaseProps {
  readonly database: Database
  readonly onClose: () => void
}

/** Deletes a database with its users, after its plan was read. */
export function DeleteDatabase({ database: { id, name }, onClose }: DeleteDatabaseProps) {
  return (
    <ChangeDialog
      title={`Delete ${name}`}
      confirmLabel="Delete the database"
      call={databases.deleteDatabase({ params: { id } })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify(`${name} was deleted.`)
        void readDatabasesAgain()
      }}
    />
  )
}
