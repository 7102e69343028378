import { Alert, Button, Checkbox, List, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Call } from '../../../../web/call.ts'
import { run } from '../../../../web/client.ts'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { previewOf } from '../../../../web/kit/PlanView.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { containers } from '../api.ts'
import { longMs, typedPortText } from '../state.ts'
import { type Entry, foldersOf, type Part, secretsOf } from './entries.ts'

/** A generated value, which is shown once. */
export interface Credential {
  readonly service: string
  readonly variable: string
  readonly value: string
}

interface LaunchDialogProps {
  readonly entry: Entry
  readonly onClose: () => void
  readonly onLaunched: (name: string, credentials: readonly Credential[]) => void
}

interface Draft {
  readonly name: string
  /** Keys of the optional services that are launched too. */
  readonly added: readonly string[]
  /** The published ports, by the key of the service. */
  readonly ports: Readonly<Record<string, readonly string[]>>
}

const firstDraft = ({ id, parts }: Entry): Draft => ({
  name: id,
  added: [],
  ports: Object.fromEntries(parts.map(({ key, ports }) => [key, ports])),
})

/** Asks for the name and the ports of an app or a stack, shows what will be opened, and launches it. */
export function LaunchDialog({ entry, onClose, onLaunched }: LaunchDialogProps) {
  const [draft, setDraft] = useState(() => firstDraft(entry))
  const [call, setCall] = useState<Call>()
  const look = useMutation({
    mutationFn: (wanted: Call) => run(previewOf(wanted)),
    onSuccess: (_plan, wanted) => setCall(wanted),
  })
  const chosen = entry.parts.filter(({ key, isOptional }) => !isOptional || draft.added.includes(key))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    look.mutate(callOf(entry, draft, chosen))
  }
  const done = async ({ credentials }: { readonly credentials: readonly Credential[] }) => {
    const name = nameOf(entry, draft)
    notify(`${name} was launched.`)
    onLaunched(name, credentials)
    await readAgain('containers')
  }
  const title = `Launch ${entry.name}`
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={title}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
        trapFocus={!call}
        closeOnEscape={!call}
      >
        <form onSubmit={submit} aria-label={title}>
          <Stack gap="md">
            {look.error && <Failure error={look.error} />}
            <Fields entry={entry} chosen={chosen} draft={draft} onChange={setDraft} />
            <Openings parts={chosen} draft={draft} />
            <Facts parts={chosen} name={nameOf(entry, draft)} />
            {entry.note !== undefined && <Alert title="After the launch">{entry.note}</Alert>}
            <DialogFooter>
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={look.isPending}>
                Review changes
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      </Modal>
      {call && (
        <ChangeDialog
          title={title}
          call={call}
          confirmLabel="Launch"
          onClose={() => setCall(undefined)}
          onDone={done}
        >
          {secretsOf(chosen).length > 0 && (
            <Text size="sm">
              Keep this open until the launch has ended: the passwords are shown only here.
            </Text>
          )}
        </ChangeDialog>
      )}
    </>
  )
}

const nameOf = ({ id }: Entry, { name }: Draft): string => name.trim() || id

function callOf(entry: Entry, draft: Draft, chosen: readonly Part[]): Call {
  const portsOf = ({ key }: Part) => [...(draft.ports[key] ?? [])]
  const name = nameOf(entry, draft)
  if (entry.kind === 'stack')
    return containers.launchStack({
      body: {
        stack_id: entry.id,
        name,
        services: chosen.map((part) => ({ key: part.key, ports: portsOf(part) })),
      },
      limitMs: longMs,
    })
  return containers.launchApp({
    body: { app_id: entry.id, name, ports: chosen.flatMap(portsOf) },
    limitMs: longMs,
  })
}

interface FieldsProps {
  readonly entry: Entry
  readonly chosen: readonly Part[]
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

const Fields = ({ entry, chosen, draft, onChange }: FieldsProps) => {
  const optional = entry.parts.filter(({ isOptional }) => isOptional)
  return (
    <>
      <TextInput
        label="Name"
        description={entry.kind === 'app' ? 'Of the container' : 'Of the stack and its network'}
        maxLength={63}
        data-autofocus
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
      {optional.length > 0 && (
        <Checkbox.Group
          label="Optional services"
          value={[...draft.added]}
          onChange={(added) => onChange({ ...draft, added })}
        >
          <Stack gap="xs" mt="xs">
            {optional.map(({ key, name }) => (
              <Checkbox key={key} value={key} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {chosen
        .filter(({ ports }) => ports.length > 0)
        .map(({ key, name }) => (
          <TagsInput
            key={key}
            label={entry.kind === 'app' ? 'Published ports' : `Published ports of ${name}`}
            description="8080:80, or 127.0.0.1:8080:80 for this host alone"
            placeholder="Type and press Enter"
            clearable
            clearButtonProps={{ 'aria-label': `Clear the ports of ${name}` }}
            splitChars={[',', ' ']}
            acceptValueOnBlur
            maxTags={20}
            value={[...(draft.ports[key] ?? [])]}
            onChange={(ports) => onChange({ ...draft, ports: { ...draft.ports, [key]: ports } })}
          />
        ))}
    </>
  )
}

function Openings({ parts, draft }: { readonly parts: readonly Part[]; readonly draft: Draft }) {
  const texts = parts.flatMap(({ key }) =>
    (draft.ports[key] ?? []).flatMap((port) => typedPortText(port) ?? []),
  )
  return (
    <section aria-label="Ports and who can reach them" aria-live="polite">
      <Text size="sm" fw={600}>
        Ports and who can reach them
      </Text>
      {texts.length === 0 ? (
        <Text size="sm">None is published.</Text>
      ) : (
        <List size="sm">
          {texts.map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </section>
  )
}

const Facts = ({ parts, name }: { readonly parts: readonly Part[]; readonly name: string }) => {
  const folders = foldersOf(parts, name)
  const secrets = secretsOf(parts)
  return (
    <Stack gap={4}>
      {parts.map(({ key, image, memory_mb }) => (
        <Text key={key} size="sm" c="dimmed" className="anywhere">
          {image}, at most {memory_mb} MiB of memory
        </Text>
      ))}
      {folders.length > 0 && (
        <Text size="sm" c="dimmed" className="anywhere">
          Folders of this host: {folders.join(', ')}
        </Text>
      )}
      {secrets.length > 0 && (
        <Text size="sm" c="dimmed" className="anywhere">
          Generated and shown once after the launch: {secrets.join(', ')}
        </Text>
      )}
    </Stack>
  )
}
