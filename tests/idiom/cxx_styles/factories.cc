// Clones, factories, owners that are returned, old auto_ptr style code with unique_ptr.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

class Value {
  public:
    using UniquePtr = std::unique_ptr<Value>;
    virtual ~Value() = default;
    static UniquePtr create(int type);
    UniquePtr clone() const { return UniquePtr(clone_()); }
    virtual int read(const std::string &s) = 0;
    virtual std::ostream &write(std::ostream &os) const = 0;

  private:
    virtual Value *clone_() const = 0;
};

class DataValue : public Value {
  public:
    int read(const std::string &s) override {
        value_.assign(s.begin(), s.end());
        return 0;
    }
    std::ostream &write(std::ostream &os) const override {
        for (auto c : value_)
            os << c;
        return os;
    }

  private:
    DataValue *clone_() const override { return new DataValue(*this); }
    std::vector<unsigned char> value_;
};

class StringValue : public Value {
  public:
    StringValue() = default;
    explicit StringValue(const std::string &s) : s_(s) {}
    int read(const std::string &s) override {
        s_ = s;
        return 0;
    }
    std::ostream &write(std::ostream &os) const override { return os << s_; }

  private:
    StringValue *clone_() const override { return new StringValue(*this); }
    std::string s_;
};

Value::UniquePtr Value::create(int type) {
    UniquePtr value;
    switch (type) {
    case 1:
        value = UniquePtr(new DataValue);
        break;
    case 2:
        value = std::make_unique<StringValue>();
        break;
    default:
        value = UniquePtr(new StringValue("none"));
        break;
    }
    return value;
}

class Datum {
  public:
    explicit Datum(int key, const Value *v = nullptr) : key_(key) {
        if (v)
            value_ = v->clone();
    }
    Datum(const Datum &o) : key_(o.key_) {
        if (o.value_)
            value_ = o.value_->clone();
    }
    Datum &operator=(const Datum &o) {
        if (this == &o)
            return *this;
        key_ = o.key_;
        value_.reset();
        if (o.value_)
            value_ = o.value_->clone();
        return *this;
    }
    void setValue(const std::string &s) {
        if (!value_)
            value_ = Value::create(key_);
        value_->read(s);
    }
    std::string toString() const {
        std::ostringstream os;
        if (value_)
            value_->write(os);
        return os.str();
    }

  private:
    int key_;
    Value::UniquePtr value_;
};

int data(int n) {
    std::vector<Datum> all;
    Datum d(n);
    d.setValue("text");
    all.push_back(d);
    Datum e = d;
    all.push_back(e);
    e = all[0];
    auto v = Value::create(n);
    all.emplace_back(3, v.get());
    return (int)all[2].toString().size();
}

class BasicIo {
  public:
    typedef std::unique_ptr<BasicIo> UniquePtr;
    virtual ~BasicIo() {}
    virtual int open() = 0;
    virtual int close() = 0;
    virtual long read(char *buf, long n) = 0;
};

class FileIo : public BasicIo {
  public:
    explicit FileIo(const std::string &path) : p_(new Impl(path)) {}
    ~FileIo() override {
        close();
        delete p_;
    }
    int open() override {
        close();
        p_->fp_ = std::fopen(p_->path_.c_str(), "rb");
        if (!p_->fp_)
            return 1;
        return 0;
    }
    int close() override {
        int rc = 0;
        if (p_->fp_ != nullptr) {
            if (std::fclose(p_->fp_) != 0)
                rc |= 1;
            p_->fp_ = nullptr;
        }
        return rc;
    }
    long read(char *buf, long n) override { return p_->fp_ ? (long)std::fread(buf, 1, n, p_->fp_) : 0; }

  private:
    struct Impl {
        Impl(const std::string &p) : path_(p), fp_(nullptr) {}
        std::string path_;
        std::FILE *fp_;
    };
    Impl *p_;
};

class MemIo : public BasicIo {
    unsigned char *data_ = nullptr;
    long size_ = 0, alloced_ = 0;
    bool mine_ = false;

  public:
    MemIo() {}
    ~MemIo() override {
        if (mine_)
            delete[] data_;
    }
    int open() override { return 0; }
    int close() override { return 0; }
    long read(char *, long) override { return 0; }
    void reserve(long n) {
        long need = size_ + n;
        if (!mine_) {
            long size = need > 1024 ? need : 1024;
            unsigned char *data = new unsigned char[size];
            if (data_ != nullptr)
                std::memcpy(data, data_, size_);
            data_ = data;
            mine_ = true;
            alloced_ = size;
        }
        if (need > alloced_) {
            unsigned char *data = new unsigned char[need * 2];
            std::memcpy(data, data_, size_);
            delete[] data_;
            data_ = data;
            alloced_ = need * 2;
        }
    }
    long write(const unsigned char *p, long n) {
        reserve(n);
        std::memcpy(data_ + size_, p, n);
        size_ += n;
        return n;
    }
};

static BasicIo::UniquePtr createIo(const std::string &path) {
    if (path == "-")
        return BasicIo::UniquePtr(new MemIo);
    return std::make_unique<FileIo>(path);
}

class Image {
  public:
    explicit Image(BasicIo::UniquePtr io) : io_(std::move(io)) {}
    virtual ~Image() = default;
    virtual bool good() { return io_->open() == 0; }
    BasicIo &io() { return *io_; }

  protected:
    BasicIo::UniquePtr io_;
    std::map<std::string, std::unique_ptr<Value>> meta_;

  public:
    void add(const std::string &k, Value::UniquePtr v) { meta_[k] = std::move(v); }
};
class Jpeg : public Image {
  public:
    using Image::Image;
};
class Png : public Image {
  public:
    using Image::Image;
};

typedef std::unique_ptr<Image> (*NewInstance)(BasicIo::UniquePtr io, bool create);
static std::unique_ptr<Image> newJpeg(BasicIo::UniquePtr io, bool) {
    std::unique_ptr<Image> image(new Jpeg(std::move(io)));
    if (!image->good())
        image.reset();
    return image;
}
static std::unique_ptr<Image> newPng(BasicIo::UniquePtr io, bool) {
    return std::make_unique<Png>(std::move(io));
}
struct Registry {
    int type;
    NewInstance make;
};
static const Registry registry[] = {{1, newJpeg}, {2, newPng}};

std::unique_ptr<Image> openImage(const std::string &path, int type) {
    auto io = createIo(path);
    if (io->open() != 0)
        throw std::string("cannot open ") + path;
    for (auto &r : registry)
        if (r.type == type)
            return r.make(std::move(io), false);
    return nullptr;
}

int images(const char *path, int n) {
    try {
        auto image = openImage(path, n);
        if (!image)
            return 0;
        image->add("x", Value::create(n));
        image->add("x", Value::create(2));
        char buf[10];
        return (int)image->io().read(buf, sizeof buf);
    } catch (const std::string &s) {
        std::cerr << s << "\n";
        return -1;
    }
}

int memory(int n) {
    MemIo io;
    const unsigned char text[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++)
        io.write(text, 4);
    return n;
}

long slurp(const char *path) {
    FileIo file(path);
    if (file.open() != 0)
        return -1;
    std::vector<char> buf(4096);
    long n = file.read(buf.data(), 4096);
    if (n < 0)
        return -2;
    if (file.open() != 0)
        return -3;
    return n;
}
