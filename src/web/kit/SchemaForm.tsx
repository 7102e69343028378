import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import type { TObject } from 'typebox'
import { ApiError } from '../wire.ts'
import { FieldInput } from './FieldInput.tsx'
import { bodyOf, fieldsOf, type FieldValue, type FieldWords, issueOf } from './schema-fields.ts'
import { Failure } from './states.tsx'

interface SchemaFormProps {
  /** The schema of the body that the form makes. */
  readonly schema: TObject
  readonly words?: FieldWords
  readonly only?: readonly string[]
  readonly submitLabel: string
  readonly autoComplete?: Readonly<Record<string, string>>
  /** Sends the body; what it throws is shown at the field that it names. */
  readonly onSubmit: (body: any) => Promise<unknown>
  readonly onCancel?: () => void
  readonly isWide?: boolean
}

/** A form made from the schema of the request that it sends. */
export function SchemaForm({ schema, words, only, submitLabel, autoComplete, onSubmit, onCancel, isWide }: SchemaFormProps) {
  const fields = useMemo(() => fieldsOf(schema, words).filter(({ name }) => !only || only.includes(name)), [schema, words, only])
  const [values, setValues] = useState<Readonly<Record<string, FieldValue>>>(() => Object.fromEntries(fields.map(({ name, first }) => [name, first])))
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = Object.fromEntries(
      fields
        .flatMap((field) => [[field.name, issueOf(field, values[field.name] ?? '')] as const])
        .filter((pair): pair is readonly [string, string] => pair[1] !== undefined),
    )
    setIssues(found)
    setFailure(undefined)
    if (Object.keys(found).length > 0) return focus(event.currentTarget as HTMLFormElement, fields.find(({ name }) => found[name])?.name)
    setSending(true)
    await onSubmit(bodyOf(fields, values)).catch((error: unknown) => {
      const field = error instanceof ApiError ? fields.find(({ name }) => name === error.field?.split('.')[0]) : undefined
      if (field) setIssues({ [field.name]: (error as ApiError).reason })
      else setFailure(error)
    })
    setSending(false)
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Failure error={failure} />}
        {fields.map((field, index) => (
          <FieldInput
            key={field.name}
            field={field}
            isFirst={index === 0}
            value={values[field.name] ?? ''}
            error={issues[field.name]}
            autoComplete={autoComplete?.[field.name]}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <Group justify="flex-end" mt="xs">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={isSending} fullWidth={isWide ?? false}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function focus(form: HTMLFormElement, name: string | undefined): void {
  if (name) form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}
