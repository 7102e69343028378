import { ActionIcon, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { ApiError } from '../../../web/wire.ts'
import { AliasDraft, type Website } from '../model.ts'
import { addAlias, aliasCalls } from './queries.ts'
import { ReplaceDialog } from './ReplaceDialog.tsx'

const text = {
  name: { label: 'Add an alias', hint: 'Such as example.com, or *.example.com for every name below it' },
}

/** The aliases of a website. */
export function Aliases({ website }: { readonly website: Website }) {
  const [removed, setRemoved] = useState<string>()
  const [added, setAdded] = useState(0)
  const [refused, setRefused] = useState<Call>()
  const calls = aliasCalls(website.id)
  const offer = (error: unknown, call: Call) => {
    if (error instanceof ApiError && error.code === 'edited_by_hand') setRefused(call)
  }
  const add = async ({ name }: { name: string }) => {
    await addAlias(website.id, name).catch((error: unknown) => {
      offer(error, calls.add(name))
      throw error
    })
    setAdded(added + 1)
    notify(`${name} is served.`)
  }
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="sm">
        Aliases
      </Title>
      <Stack gap={4} mb="md">
        {website.aliases.length === 0 && (
          <Text size="sm" c="dimmed">
            None yet.
          </Text>
        )}
        {website.aliases.map((name) => (
          <Group key={name} justify="space-between" wrap="nowrap">
            <Text size="sm" className="anywhere">
              {name}
            </Text>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Remove ${name}`}
              onClick={() => setRemoved(name)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <SchemaForm
        key={added}
        schema={AliasDraft}
        text={text}
        submitLabel="Add"
        reviewOf={({ name }: { name: string }) => calls.add(name)}
        onSubmit={add}
      />
      {removed !== undefined && (
        <ChangeDialog
          title={`Remove the alias ${removed}`}
          confirmLabel="Remove the alias"
          isCutOff
          call={calls.remove(removed)}
          onClose={() => setRemoved(undefined)}
          onDone={() => {
            setRemoved(undefined)
            notify(`${removed} was removed.`)
            return readAgain('websites')
          }}
        />
      )}
      {refused && <ReplaceDialog website={website} refused={refused} onClose={() => setRefused(undefined)} />}
    </Card>
  )
}
