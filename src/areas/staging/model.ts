import Type, { type Static } from 'typebox'
import {
  Hostname,
  Id,
  OneOf,
  Optional,
  Secret,
  Text,
  Time,
  TypedFileHostname,
  UnixName,
} from '../../core/schemas.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const StagingCopy = Type.Object({
  website_id: Id,
  domain: Hostname,
  username: UnixName,
  origin_id: Nullable(Id, 'The website of which it is a copy; null if that was deleted'),
  origin_domain: Nullable(Hostname, 'Its domain'),
  url: Text(300, { description: 'Address of the copy' }),
  created_at: Time,
  pushed_at: Nullable(Time, 'When it was pushed last; null if never'),
})
export type StagingCopy = Static<typeof StagingCopy>

export const WebsiteStaging = Type.Object({
  copy: Nullable(StagingCopy, 'The copy that this website is; null if it is none'),
  copies: Type.Array(StagingCopy, { maxItems: 10_000, description: 'The copies of this website' }),
})

const VisitorPassword = Secret({
  minLength: 8,
  maxLength: 60,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'Password in front of the whole copy; default none',
  expects: 'one line of 8 to 60 characters',
})

export const StagingDraft = Type.Object({
  domain: TypedFileHostname,
  visitor: Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z0-9._@-]+$',
      description: 'User name for the password; default staging',
      expects: 'letters, digits and . _ @ -',
    }),
  ),
  visitor_password: Optional(VisitorPassword),
})
export type StagingDraft = Static<typeof StagingDraft>

export const StagingInput = Type.Object({
  ...StagingDraft.properties,
  origin_id: Id,
  website_id: Id,
  database_id: Id,
  database_password: Secret({ maxLength: 64, description: 'Of the account of the database' }),
  temporary: Secret({ maxLength: 64, description: 'Of that account while the copy is made' }),
  label: Text(40),
})
export type StagingInput = Static<typeof StagingInput>

export const PushDraft = Type.Object({
  parts: OneOf(['files', 'database', 'both'], { default: 'both', description: 'What is replaced' }),
  kept_tables: Optional(
    Type.Array(
      Type.String({
        maxLength: 64,
        pattern: '^[A-Za-z0-9_$-]+$',
        description: 'Table',
        expects: 'the name of a table such as wp_comments',
      }),
      {
        maxItems: 500,
        uniqueItems: true,
        description: 'Tables of the origin that stay as they are; default none',
      },
    ),
  ),
  kept_paths: Optional(
    Type.Array(
      Type.String({
        maxLength: 200,
        pattern: '^(?!/)(?!.*(?:^|/)\\.\\.?(?:/|$))[A-Za-z0-9._@+-]+(?:/[A-Za-z0-9._@+-]+)*$',
        description: 'Path below the document root',
        expects: 'a relative path such as wp-content/uploads',
      }),
      {
        maxItems: 50,
        uniqueItems: true,
        description:
          'Files and folders of the origin that stay as they are; default wp-content/uploads if files alone are pushed, otherwise none',
      },
    ),
  ),
})
export type PushDraft = Static<typeof PushDraft>

export const PushInput = Type.Object({
  ...PushDraft.properties,
  website_id: Id,
  temporary: Secret({ maxLength: 64, description: 'Of the account with which the database is prepared' }),
  label: Text(40),
})
export type PushInput = Static<typeof PushInput>

export const Pushed = Type.Object({
  website_id: Id,
  domain: Hostname,
  parts: PushDraft.properties.parts,
  safety_backup: Text(200, { description: 'The backup of the state before, in the set before-restore' }),
})
export type Pushed = Static<typeof Pushed>

export const Removing = Type.Object({
  overwrite: Type.Boolean({
    default: false,
    description: 'Whether a file of the website that was edited by hand is removed too',
  }),
})
