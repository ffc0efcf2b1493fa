-- A transaction of its own: accounts can be added and changed meanwhile, and the triggers write their rows.
INSERT INTO account_search (account_id, name, email, phone, account_type, status, review_status)
SELECT a.id, fold_text(p.name), fold_text(a.email), a.phone, a.account_type, a.status,
  CASE WHEN a.account_type = 'lawyer' THEN l.review_status END
FROM accounts a JOIN profiles p ON p.account_id = a.id LEFT JOIN lawyer_profiles l ON l.account_id = a.id
ON CONFLICT (account_id) DO NOTHING;
