import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { type Database, DatabaseDraft } from '../model.ts'
import { databases } from './api.ts'
import { readDatabasesAgain } from './queries.ts'
import {
  databaseTexts,
  draftOf,
  type NewDraft,
  newSchemaFor,
  type SiteChoice,
  textsFor,
  WebsiteChoice,
} from './WebsiteChoice.tsx'

interface NewDatabaseProps {
  readonly onClose: () => void
}

const title = 'New database'

const afterCreation =
  (onClose: () => void) =>
  ({ name }: Database) => {
    onClose()
    notify(`${name} was created.`)
    void readDatabasesAgain()
  }

/** Creates a database of a website that is chosen. */
export function NewDatabase({ onClose }: NewDatabaseProps) {
  return (
    <WebsiteChoice title={title} onClose={onClose}>
      {(sites) => (
        <PlannedForm
          title={title}
          confirmLabel="Create the database"
          schema={newSchemaFor(sites)}
          text={textsFor(sites)}
          autoComplete={{ password: 'new-password' }}
          callOf={(draft: NewDraft) => databases.createDatabase({ body: draftOf(sites, draft) })}
          onClose={onClose}
          onDone={afterCreation(onClose)}
        />
      )}
    </WebsiteChoice>
  )
}

/** Creates a database of one website. */
export function NewDatabaseOf({ website, onClose }: NewDatabaseProps & { readonly website: SiteChoice }) {
  return (
    <PlannedForm
      title={title}
      confirmLabel="Create the database"
      schema={DatabaseDraft}
      upFront={['engine', 'name', 'username', 'password']}
      text={{
        ...databaseTexts,
        name: { label: 'Name', hint: `Becomes ${website.username}_…` },
        username: { label: 'User', hint: `Becomes ${website.username}_…; has all rights on this database` },
      }}
      autoComplete={{ password: 'new-password' }}
      callOf={(body: DatabaseDraft) =>
        databases.createDatabaseOfWebsite({ params: { id: website.id }, body })
      }
      onClose={onClose}
      onDone={afterCreation(onClose)}
    />
  )
}
