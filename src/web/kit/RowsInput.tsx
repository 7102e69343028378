import { ActionIcon, Button, Group, Input, Stack, Switch } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { FieldInputProps } from './FieldInput.tsx'
import { type Field, type FieldValues, firstValues, shownFields } from './schema-fields.ts'
import classes from './RowsInput.module.css'

interface NestedProps {
  readonly field: Field
  readonly path: string
  readonly issues: Readonly<Record<string, string>>
  /** Renders the inner fields; passed in because the renderer itself renders rows. */
  readonly Input: ComponentType<FieldInputProps>
}

interface RowsProps extends NestedProps {
  readonly rows: readonly FieldValues[]
  readonly onChange: (rows: readonly FieldValues[]) => void
}

/** An ordered list of rows with several fields each. */
export function RowsInput({ field, path, rows, issues, onChange, Input: Each }: RowsProps) {
  const one = singular(field.label)
  const move = (from: number, to: number) =>
    onChange(rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] as FieldValues))
  const isFixed = rows.length <= (field.schema.minItems ?? 0)
  return (
    <fieldset className={classes.frame}>
      <Legend field={field} issue={issues[path]} />
      <Stack gap="xs">
        {rows.map((row, index) => (
          <div key={index} className={classes.row} role="group" aria-label={`${one} ${index + 1}`}>
            <div className={classes.fields}>
              {shownFields(field.fields, row).map((each) => (
                <Each
                  key={each.name}
                  field={each}
                  path={`${path}.${index}.${each.name}`}
                  value={row[each.name] ?? ''}
                  issues={issues}
                  onChange={(value) => onChange(rows.with(index, { ...row, [each.name]: value }))}
                />
              ))}
            </div>
            <Stack gap={2}>
              <RowButton
                label={`Remove ${one} ${index + 1}`}
                isOff={isFixed}
                Icon={IconX}
                onClick={() => onChange(rows.toSpliced(index, 1))}
              />
              {rows.length > 1 && (
                <>
                  <RowButton
                    label={`Move ${one} ${index + 1} up`}
                    isOff={index === 0}
                    Icon={IconArrowUp}
                    onClick={() => move(index, index - 1)}
                  />
                  <RowButton
                    label={`Move ${one} ${index + 1} down`}
                    isOff={index === rows.length - 1}
                    Icon={IconArrowDown}
                    onClick={() => move(index, index + 1)}
                  />
                </>
              )}
            </Stack>
          </div>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...rows, firstValues(field.fields)])}
          >
            Add {one}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}

interface GroupProps extends NestedProps {
  /** Empty while the group is switched off. */
  readonly values: FieldValues | ''
  readonly onChange: (values: FieldValues | '') => void
}

/** A group of fields; an optional group is switched on and off as a whole. */
export function GroupInput({ field, path, values, issues, onChange, Input: Each }: GroupProps) {
  return (
    <fieldset className={classes.frame}>
      {field.isRequired ? (
        <Legend field={field} issue={issues[path]} />
      ) : (
        <Switch
          mb={values === '' ? 0 : 8}
          name={path}
          label={field.label}
          description={field.hint}
          error={issues[path]}
          checked={values !== ''}
          onChange={(event) => onChange(event.currentTarget.checked ? firstValues(field.fields) : '')}
        />
      )}
      {values !== '' && (
        <div className={classes.row}>
          <div className={classes.fields}>
            {shownFields(field.fields, values).map((each) => (
              <Each
                key={each.name}
                field={each}
                path={`${path}.${each.name}`}
                value={values[each.name] ?? ''}
                issues={issues}
                onChange={(value) => onChange({ ...values, [each.name]: value })}
              />
            ))}
          </div>
        </div>
      )}
    </fieldset>
  )
}

function Legend({
  field: { label, hint, isRequired },
  issue,
}: {
  readonly field: Field
  readonly issue: string | undefined
}) {
  return (
    <Stack gap={2} mb={6}>
      <legend className={classes.legend}>
        <Input.Label labelElement="div" required={isRequired}>
          {label}
        </Input.Label>
      </legend>
      {hint && <Input.Description>{hint}</Input.Description>}
      {issue && <Input.Error role="alert">{issue}</Input.Error>}
    </Stack>
  )
}

interface RowButtonProps {
  readonly label: string
  readonly isOff: boolean
  readonly Icon: typeof IconX
  readonly onClick: () => void
}

function RowButton({ label, isOff, Icon, onClick }: RowButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon size={15} aria-hidden />
    </ActionIcon>
  )
}

function singular(label: string): string {
  const word = /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
  return word.replace(/(?<=ss)es$|(?<!s)s$/, '')
}
