import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import type { TObject } from 'typebox'
import { ApiError } from '../wire.ts'
import { FieldInput } from './FieldInput.tsx'
import { bodyOf, type Field, fieldsOf, type FieldValues, type FieldWords, firstValues, issuesOf } from './schema-fields.ts'
import { Failure } from './states.tsx'

export interface SchemaFormProps {
  /** The schema of the body that the form makes. */
  readonly schema: TObject
  readonly words?: FieldWords
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  /** What stands there now, as the API shows it, where the form changes something; what is emptied is then sent as empty. */
  readonly given?: Readonly<Record<string, unknown>>
  readonly submitLabel: string
  readonly autoComplete?: Readonly<Record<string, string>>
  /** Sends the body; what it throws is shown at the field that it names. */
  readonly onSubmit: (body: any) => Promise<unknown>
  readonly onCancel?: () => void
  readonly isWide?: boolean
}

/** A form made from the schema of the request that it sends. */
export function SchemaForm({ schema, words, only, except, given, submitLabel, autoComplete, onSubmit, onCancel, isWide }: SchemaFormProps) {
  const fields = useMemo(
    () => fieldsOf(schema, words).filter(({ name }) => (!only || only.includes(name)) && !except?.includes(name)),
    [schema, words, only, except],
  )
  const [values, setValues] = useState<FieldValues>(() => firstValues(fields, given))
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = issuesOf(fields, values)
    setIssues(found)
    setFailure(undefined)
    const first = Object.keys(found)[0]
    if (first !== undefined) return focus(event.currentTarget as HTMLFormElement, first)
    setSending(true)
    await onSubmit(bodyOf(fields, values, given !== undefined)).catch((error: unknown) => {
      const path = error instanceof ApiError ? placeOf(fields, values, error.field) : undefined
      if (path) setIssues({ [path]: (error as ApiError).reason })
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
            path={field.name}
            isFirst={index === 0}
            value={values[field.name] ?? ''}
            issues={issues}
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

/** Where a refused part stands in the form: the very field, or the one that it belongs to. */
function placeOf(fields: readonly Field[], values: FieldValues, refused: string | undefined): string | undefined {
  const [name, index, ...rest] = refused?.split('.') ?? []
  const field = fields.find((each) => each.name === name)
  const rows = field?.control === 'rows' ? (values[field.name] as readonly FieldValues[]) : []
  return field && rows[Number(index)] && field.fields.some((each) => each.name === rest[0]) ? `${name}.${index}.${rest[0]}` : field?.name
}

function focus(form: HTMLFormElement, path: string): void {
  form.querySelector<HTMLElement>(`[name="${path}"]`)?.focus()
}
