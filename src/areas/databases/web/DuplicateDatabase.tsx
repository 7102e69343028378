import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import type { Database } from '../model.ts'
import { databases } from './api.ts'
import { readDatabasesAgain } from './queries.ts'
import { type ChosenDraft, draftOf, schemaFor, textsFor, WebsiteChoice } from './WebsiteChoice.tsx'

interface DuplicateDatabaseProps {
  readonly database: Database
  readonly onClose: () => void
}

const hourMs = 3_600_000

/** Copies a database to a new one of the same or of another website. */
export function DuplicateDatabase({ database, onClose }: DuplicateDatabaseProps) {
  const title = `Duplicate ${database.name}`
  return (
    <WebsiteChoice title={title} onClose={onClose}>
      {(sites) => (
        <PlannedForm
          title={title}
          confirmLabel="Duplicate"
          schema={schemaFor(sites)}
          text={textsFor(sites)}
          {...(database.domain !== null && { given: { website: database.domain } })}
          autoComplete={{ password: 'new-password' }}
          callOf={(draft: ChosenDraft) =>
            databases.duplicateDatabase({
              params: { id: database.id },
              body: draftOf(sites, draft),
              limitMs: 12 * hourMs,
            })
          }
          onClose={onClose}
          onDone={({ name }: Database) => {
            onClose()
            notify(`${name} is a copy of ${database.name}.`)
            void readDatabasesAgain()
          }}
        />
      )}
    </WebsiteChoice>
  )
}
