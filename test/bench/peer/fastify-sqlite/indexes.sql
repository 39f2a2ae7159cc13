-- Made when the rows are in. It covers the search for the cheapest deal of a product on a network within some upfront cost,
-- and what that deal costs: in order of total cost, the first that fits ends it, and no row of the table is read.
CREATE INDEX deals_by_product_network ON deals (product_id, network_id, rank, upfront_pence, total_pence);
ANALYZE;
