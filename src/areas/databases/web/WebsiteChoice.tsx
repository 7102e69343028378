import { Button, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import Type from 'typebox'
import { OneOf } from '../../../core/schemas.ts'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useWebsites } from '../../websites/web/queries.ts'
import { DatabaseCopyDraft, DatabaseEngine, type EngineName } from '../model.ts'
import { engineTitles } from './engines.ts'

export interface SiteChoice {
  readonly id: number
  readonly domain: string
  readonly username: string
}

interface WebsiteChoiceProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: (sites: readonly SiteChoice[]) => ReactNode
}

/** Reads the websites that a database can belong to, for the form of a dialog. */
export function WebsiteChoice({ title, onClose, children }: WebsiteChoiceProps) {
  const { data, error, refetch } = useWebsites({ per_page: 500, sort: 'domain' })
  if (data && data.items.length > 0) return children(data.items)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {!error && !data && <Loading rows={2} />}
        {data && <Text size="sm">Create a website first: a database belongs to one.</Text>}
        <DialogFooter>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

const { name, username, password } = DatabaseCopyDraft.properties

/** The body of the form: the website by its domain. */
export interface ChosenDraft {
  readonly website: string
  readonly name: string
  readonly username: string
  readonly password: string
}

/** The body of the form of a new database. */
export interface NewDraft extends ChosenDraft {
  readonly engine: EngineName
}

/** The form of a database, with a choice of websites by their domain. */
export function schemaFor(sites: readonly SiteChoice[]) {
  const [first = '', ...others] = sites.map(({ domain }) => domain)
  const website = OneOf([first, ...others], { expects: 'a website from the list' })
  return Type.Object({ website, name, username, password })
}

/** The same with a choice of the server. */
export const newSchemaFor = (sites: readonly SiteChoice[]) => {
  const { website, ...fields } = schemaFor(sites).properties
  return Type.Object({ website, engine: DatabaseEngine, ...fields })
}

/** Returns the body of the request for what was chosen. */
export function draftOf<Draft extends ChosenDraft>(
  sites: readonly SiteChoice[],
  { website, ...draft }: Draft,
) {
  const site = sites.find(({ domain }) => domain === website)
  return { ...draft, website_id: site?.id ?? 0 }
}

/** The texts of the form with a choice of websites. */
export const textsFor = (sites: readonly SiteChoice[]) => ({
  ...databaseTexts,
  website: {
    ...databaseTexts.website,
    labels: Object.fromEntries(sites.map(({ domain }) => [domain, domain])),
  },
})

/** The texts of the fields of a new database. */
export const databaseTexts = {
  website: { label: 'Website', hint: 'Its owner is put before both names, with _' },
  engine: { label: 'Server', labels: engineTitles },
  name: { label: 'Name', hint: 'Without the name of the owner' },
  username: { label: 'User', hint: 'Has all rights on this database, and on no other' },
  password: { label: 'Password of the user' },
  charset: { label: 'Character set', hint: 'Leave blank for Unicode' },
  collation: { label: 'Collation', hint: 'Leave blank for that of the character set' },
}
