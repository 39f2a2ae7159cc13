-- The catalogue in normal form. Money is pence; an allowance of NULL is unlimited.
CREATE TABLE networks (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  small_logo TEXT NOT NULL,
  medium_logo TEXT NOT NULL,
  large_logo TEXT NOT NULL,
  deal_logo TEXT NOT NULL
);

CREATE TABLE retailers (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL,
  name TEXT NOT NULL,
  large_logo TEXT NOT NULL,
  deal_logo TEXT NOT NULL
);

CREATE TABLE plans (
  id INTEGER PRIMARY KEY,
  network_id INTEGER NOT NULL REFERENCES networks,
  deal_type TEXT NOT NULL,
  name TEXT NOT NULL,
  months INTEGER NOT NULL,
  data_megabytes INTEGER,
  call_minutes INTEGER,
  text_messages INTEGER
);

CREATE TABLE gifts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  image TEXT NOT NULL
);

CREATE TABLE cashbacks (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  value_pence INTEGER NOT NULL
);

-- `id` is the place in the default order: by numeric id, new before refurbished.
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL,
  condition TEXT NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  image TEXT NOT NULL
);

CREATE INDEX products_by_public_id ON products (public_id);

-- `rank` is the place in the order of total cost with all its ties, over the whole catalogue. Rows lie by product and
-- rank, so that the deals of a product are read from neighbouring pages, in order.
CREATE TABLE deals (
  product_id INTEGER NOT NULL REFERENCES products,
  rank INTEGER NOT NULL,
  plan_id INTEGER NOT NULL REFERENCES plans,
  network_id INTEGER NOT NULL REFERENCES networks,
  retailer_id INTEGER NOT NULL REFERENCES retailers,
  total_pence INTEGER NOT NULL,
  upfront_pence INTEGER NOT NULL,
  monthly_pence INTEGER NOT NULL,
  gift_id INTEGER REFERENCES gifts,
  cashback_id INTEGER REFERENCES cashbacks,
  picture TEXT,
  link TEXT NOT NULL,
  PRIMARY KEY (product_id, rank)
) WITHOUT ROWID;
