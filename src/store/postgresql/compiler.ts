import {
  ColumnNode,
  IdentifierNode,
  type OperatorNode,
  type OrderByItemNode,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  type QueryCompiler,
  RawNode,
  ReferenceNode,
} from 'kysely'

/** Columns that contain null in some table; known once the schema is up to date. */
type NullableColumns = ReadonlySet<string>

/** Kysely's dialect of PostgreSQL, with the meaning that queries have in SQLite. */
export class PanelDialect extends PostgresDialect {
  readonly #nullable: NullableColumns

  constructor(pool: PostgresPool, nullable: NullableColumns) {
    super({ pool })
    this.#nullable = nullable
  }

  override createQueryCompiler(): QueryCompiler {
    return new MeaningOfSqlite(this.#nullable)
  }
}

class MeaningOfSqlite extends PostgresQueryCompiler {
  readonly #nullable: NullableColumns

  constructor(nullable: NullableColumns) {
    super()
    this.#nullable = nullable
  }

  /** `like` ignores the case of ASCII letters; so does `ilike` under the collation "C". */
  protected override visitOperator({ operator }: OperatorNode): void {
    this.append(operator === 'like' ? 'ilike' : operator === 'not like' ? 'not ilike' : operator)
  }

  protected override visitRaw(node: RawNode): void {
    super.visitRaw({ ...node, sqlFragments: node.sqlFragments.map(withIlike) })
  }

  /** Null comes before every value. Said only where there may be one, as an index could not be used otherwise. */
  protected override visitOrderByItem(node: OrderByItemNode): void {
    if (RawNode.is(node.orderBy))
      throw new Error(
        'Order by columns or functions of Kysely: in SQL of its own the place of null is not known',
      )
    super.visitOrderByItem(node)
    if (node.nulls !== undefined || !mayBeNull(node, this.#nullable)) return
    this.append(isDescending(node) ? ' nulls last' : ' nulls first')
  }
}

const withIlike = (fragment: string): string => fragment.replaceAll(/\blike\b/gi, 'ilike')

function mayBeNull({ orderBy }: OrderByItemNode, nullable: NullableColumns): boolean {
  const column = ReferenceNode.is(orderBy) ? orderBy.column : orderBy
  const name = ColumnNode.is(column) ? column.column : column
  return IdentifierNode.is(name) ? nullable.has(name.name) : true
}

const isDescending = ({ direction }: OrderByItemNode): boolean =>
  direction !== undefined && RawNode.is(direction) && direction.sqlFragments.join('').trim() === 'desc'
